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

/* Operations of COMPOUND. RFC 7530 16, RFC 8881 18, RFC 7862 15, RFC 8276 8.4 */
#define UPPER_NFS4_OP_MAP(X, space)                                                                \
  X(space, 3, "ACCESS")                                                                            \
  X(space, 4, "CLOSE")                                                                             \
  X(space, 5, "COMMIT")                                                                            \
  X(space, 6, "CREATE")                                                                            \
  X(space, 7, "DELEGPURGE")                                                                        \
  X(space, 8, "DELEGRETURN")                                                                       \
  X(space, 9, "GETATTR")                                                                           \
  X(space, 10, "GETFH")                                                                            \
  X(space, 11, "LINK")                                                                             \
  X(space, 12, "LOCK")                                                                             \
  X(space, 13, "LOCKT")                                                                            \
  X(space, 14, "LOCKU")                                                                            \
  X(space, 15, "LOOKUP")                                                                           \
  X(space, 16, "LOOKUPP")                                                                          \
  X(space, 17, "NVERIFY")                                                                          \
  X(space, 18, "OPEN")                                                                             \
  X(space, 19, "OPENATTR")                                                                         \
  X(space, 20, "OPEN_CONFIRM")                                                                     \
  X(space, 21, "OPEN_DOWNGRADE")                                                                   \
  X(space, 22, "PUTFH")                                                                            \
  X(space, 23, "PUTPUBFH")                                                                         \
  X(space, 24, "PUTROOTFH")                                                                        \
  X(space, 25, "READ")                                                                             \
  X(space, 26, "READDIR")                                                                          \
  X(space, 27, "READLINK")                                                                         \
  X(space, 28, "REMOVE")                                                                           \
  X(space, 29, "RENAME")                                                                           \
  X(space, 30, "RENEW")                                                                            \
  X(space, 31, "RESTOREFH")                                                                        \
  X(space, 32, "SAVEFH")                                                                           \
  X(space, 33, "SECINFO")                                                                          \
  X(space, 34, "SETATTR")                                                                          \
  X(space, 35, "SETCLIENTID")                                                                      \
  X(space, 36, "SETCLIENTID_CONFIRM")                                                              \
  X(space, 37, "VERIFY")                                                                           \
  X(space, 38, "WRITE")                                                                            \
  X(space, 39, "RELEASE_LOCKOWNER")                                                                \
  X(space, 40, "BACKCHANNEL_CTL")                                                                  \
  X(space, 41, "BIND_CONN_TO_SESSION")                                                             \
  X(space, 42, "EXCHANGE_ID")                                                                      \
  X(space, 43, "CREATE_SESSION")                                                                   \
  X(space, 44, "DESTROY_SESSION")                                                                  \
  X(space, 45, "FREE_STATEID")                                                                     \
  X(space, 46, "GET_DIR_DELEGATION")                                                               \
  X(space, 47, "GETDEVICEINFO")                                                                    \
  X(space, 48, "GETDEVICELIST")                                                                    \
  X(space, 49, "LAYOUTCOMMIT")                                                                     \
  X(space, 50, "LAYOUTGET")                                                                        \
  X(space, 51, "LAYOUTRETURN")                                                                     \
  X(space, 52, "SECINFO_NO_NAME")                                                                  \
  X(space, 53, "SEQUENCE")                                                                         \
  X(space, 54, "SET_SSV")                                                                          \
  X(space, 55, "TEST_STATEID")                                                                     \
  X(space, 56, "WANT_DELEGATION")                                                                  \
  X(space, 57, "DESTROY_CLIENTID")                                                                 \
  X(space, 58, "RECLAIM_COMPLETE")                                                                 \
  X(space, 59, "ALLOCATE")                                                                         \
  X(space, 60, "COPY")                                                                             \
  X(space, 61, "COPY_NOTIFY")                                                                      \
  X(space, 62, "DEALLOCATE")                                                                       \
  X(space, 63, "IO_ADVISE")                                                                        \
  X(space, 64, "LAYOUTERROR")                                                                      \
  X(space, 65, "LAYOUTSTATS")                                                                      \
  X(space, 66, "OFFLOAD_CANCEL")                                                                   \
  X(space, 67, "OFFLOAD_STATUS")                                                                   \
  X(space, 68, "READ_PLUS")                                                                        \
  X(space, 69, "SEEK")                                                                             \
  X(space, 70, "WRITE_SAME")                                                                       \
  X(space, 71, "CLONE")                                                                            \
  X(space, 72, "GETXATTR")                                                                         \
  X(space, 73, "SETXATTR")                                                                         \
  X(space, 74, "LISTXATTRS")                                                                       \
  X(space, 75, "REMOVEXATTR")

/* Operations of CB_COMPOUND. RFC 7530 16, RFC 8881 20, RFC 7862 16 */
#define UPPER_NFS4_CALLBACK_OP_MAP(X, space)                                                       \
  X(space, 3, "CB_GETATTR")                                                                        \
  X(space, 4, "CB_RECALL")                                                                         \
  X(space, 5, "CB_LAYOUTRECALL")                                                                   \
  X(space, 6, "CB_NOTIFY")                                                                         \
  X(space, 7, "CB_PUSH_DELEG")                                                                     \
  X(space, 8, "CB_RECALL_ANY")                                                                     \
  X(space, 9, "CB_RECALLABLE_OBJ_AVAIL")                                                           \
  X(space, 10, "CB_RECALL_SLOT")                                                                   \
  X(space, 11, "CB_SEQUENCE")                                                                      \
  X(space, 12, "CB_WANTS_CANCELLED")                                                               \
  X(space, 13, "CB_NOTIFY_LOCK")                                                                   \
  X(space, 14, "CB_NOTIFY_DEVICEID")                                                               \
  X(space, 15, "CB_OFFLOAD")

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
