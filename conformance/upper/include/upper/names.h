/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of messages of upper layers. Each list is X(space, value, name) for each of its names,
 * where `space` is what the user of the list gives.
 */
#ifndef UPPER_NAMES_H
#define UPPER_NAMES_H

/* NFS version 3, RFC 1813 3.3 */
#define UPPER_NFS3_MAP(X, space)                                                                   \
  X(space, 0, "NULL")                                                                              \
  X(space, 1, "GETATTR")                                                                           \
  X(space, 2, "SETATTR")                                                                           \
  X(space, 3, "LOOKUP")                                                                            \
  X(space, 4, "ACCESS")                                                                            \
  X(space, 5, "READLINK")                                                                          \
  X(space, 6, "READ")                                                                              \
  X(space, 7, "WRITE")                                                                             \
  X(space, 8, "CREATE")                                                                            \
  X(space, 9, "MKDIR")                                                                             \
  X(space, 10, "SYMLINK")                                                                          \
  X(space, 11, "MKNOD")                                                                            \
  X(space, 12, "REMOVE")                                                                           \
  X(space, 13, "RMDIR")                                                                            \
  X(space, 14, "RENAME")                                                                           \
  X(space, 15, "LINK")                                                                             \
  X(space, 16, "READDIR")                                                                          \
  X(space, 17, "READDIRPLUS")                                                                      \
  X(space, 18, "FSSTAT")                                                                           \
  X(space, 19, "FSINFO")                                                                           \
  X(space, 20, "PATHCONF")                                                                         \
  X(space, 21, "COMMIT")

/* NFS version 4, RFC 7530 15 */
#define UPPER_NFS4_MAP(X, space)                                                                   \
  X(space, 0, "NULL")                                                                              \
  X(space, 1, "COMPOUND")

/* The callback program of NFS version 4, RFC 7530 16 */
#define UPPER_NFS4_CALLBACK_MAP(X, space)                                                          \
  X(space, 0, "CB_NULL")                                                                           \
  X(space, 1, "CB_COMPOUND")

/* NFSACL, version 3, of Solaris and Linux */
#define UPPER_NFSACL3_MAP(X, space)                                                                \
  X(space, 0, "NULL")                                                                              \
  X(space, 1, "GETACL")                                                                            \
  X(space, 2, "SETACL")

/* SMB 2 and 3, MS-SMB2 2.2.1.1 */
#define UPPER_SMB2_MAP(X, space)                                                                   \
  X(space, 0, "NEGOTIATE")                                                                         \
  X(space, 1, "SESSION_SETUP")                                                                     \
  X(space, 2, "LOGOFF")                                                                            \
  X(space, 3, "TREE_CONNECT")                                                                      \
  X(space, 4, "TREE_DISCONNECT")                                                                   \
  X(space, 5, "CREATE")                                                                            \
  X(space, 6, "CLOSE")                                                                             \
  X(space, 7, "FLUSH")                                                                             \
  X(space, 8, "READ")                                                                              \
  X(space, 9, "WRITE")                                                                             \
  X(space, 10, "LOCK")                                                                             \
  X(space, 11, "IOCTL")                                                                            \
  X(space, 12, "CANCEL")                                                                           \
  X(space, 13, "ECHO")                                                                             \
  X(space, 14, "QUERY_DIRECTORY")                                                                  \
  X(space, 15, "CHANGE_NOTIFY")                                                                    \
  X(space, 16, "QUERY_INFO")                                                                       \
  X(space, 17, "SET_INFO")                                                                         \
  X(space, 18, "OPLOCK_BREAK")

/* Fabrics commands, by FCTYPE. NVMe over Fabrics 1.1, 3 */
#define UPPER_NVME_FABRICS_MAP(X, space)                                                           \
  X(space, 0x00, "Property Set")                                                                   \
  X(space, 0x01, "Connect")                                                                        \
  X(space, 0x04, "Property Get")                                                                   \
  X(space, 0x05, "Authentication Send")                                                            \
  X(space, 0x06, "Authentication Receive")                                                         \
  X(space, 0x08, "Disconnect")

/* Commands of the queue 0. NVM Express 1.4, 5 */
#define UPPER_NVME_ADMIN_MAP(X, space)                                                             \
  X(space, 0x02, "Get Log Page")                                                                   \
  X(space, 0x06, "Identify")                                                                       \
  X(space, 0x08, "Abort")                                                                          \
  X(space, 0x09, "Set Features")                                                                   \
  X(space, 0x0A, "Get Features")                                                                   \
  X(space, 0x0C, "Asynchronous Event Request")                                                     \
  X(space, 0x0D, "Namespace Management")                                                           \
  X(space, 0x10, "Firmware Commit")                                                                \
  X(space, 0x11, "Firmware Image Download")                                                        \
  X(space, 0x14, "Device Self-test")                                                               \
  X(space, 0x15, "Namespace Attachment")                                                           \
  X(space, 0x18, "Keep Alive")                                                                     \
  X(space, 0x19, "Directive Send")                                                                 \
  X(space, 0x1A, "Directive Receive")                                                              \
  X(space, 0x80, "Format NVM")                                                                     \
  X(space, 0x81, "Security Send")                                                                  \
  X(space, 0x82, "Security Receive")                                                               \
  X(space, 0x84, "Sanitize")

/* Commands of the other queues. NVM Express 1.4, 6 */
#define UPPER_NVME_IO_MAP(X, space)                                                                \
  X(space, 0x00, "Flush")                                                                          \
  X(space, 0x01, "Write")                                                                          \
  X(space, 0x02, "Read")                                                                           \
  X(space, 0x04, "Write Uncorrectable")                                                            \
  X(space, 0x05, "Compare")                                                                        \
  X(space, 0x08, "Write Zeroes")                                                                   \
  X(space, 0x09, "Dataset Management")                                                             \
  X(space, 0x0C, "Verify")                                                                         \
  X(space, 0x0D, "Reservation Register")                                                           \
  X(space, 0x0E, "Reservation Report")                                                             \
  X(space, 0x11, "Reservation Acquire")                                                            \
  X(space, 0x15, "Reservation Release")

/* Control-type PDUs of iSCSI that iSER carries, RFC 7143 11.2.1.2, RFC 7145 7.3 */
#define UPPER_ISCSI_MAP(X, space)                                                                  \
  X(space, 0x00, "NOP-Out")                                                                        \
  X(space, 0x01, "SCSI Command")                                                                   \
  X(space, 0x02, "Task Management Function Request")                                               \
  X(space, 0x03, "Login Request")                                                                  \
  X(space, 0x04, "Text Request")                                                                   \
  X(space, 0x05, "SCSI Data-Out")                                                                  \
  X(space, 0x06, "Logout Request")                                                                 \
  X(space, 0x20, "NOP-In")                                                                         \
  X(space, 0x21, "SCSI Response")                                                                  \
  X(space, 0x22, "Task Management Function Response")                                              \
  X(space, 0x23, "Login Response")                                                                 \
  X(space, 0x24, "Text Response")                                                                  \
  X(space, 0x26, "Logout Response")                                                                \
  X(space, 0x32, "Asynchronous Message")                                                           \
  X(space, 0x3F, "Reject")

#endif
