/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of names. */
#include <upper/names.h>

#include "upper_priv.h"

typedef struct name_row {
  uint8_t space;
  uint8_t value;
  const char *name;
} name_row;

#define NAME_ROW(space, value, name) {space, value, name},
static const name_row name_rows[] = {
    UPPER_NFS3_MAP(NAME_ROW, UPPER_NFS3) UPPER_NFS4_MAP(NAME_ROW, UPPER_NFS4)
        UPPER_NFS4_CALLBACK_MAP(NAME_ROW, UPPER_NFS4_CALLBACK)
            UPPER_NFS4_OP_MAP(NAME_ROW, UPPER_NFS4_OP)
                UPPER_NFS4_CALLBACK_OP_MAP(NAME_ROW, UPPER_NFS4_CALLBACK_OP)
                    UPPER_NFSACL3_MAP(NAME_ROW, UPPER_NFSACL3) UPPER_SMB2_MAP(NAME_ROW, UPPER_SMB2)
                        UPPER_NVME_FABRICS_MAP(NAME_ROW, UPPER_NVME_FABRICS)
                            UPPER_NVME_ADMIN_MAP(NAME_ROW, UPPER_NVME_ADMIN)
                                UPPER_NVME_IO_MAP(NAME_ROW, UPPER_NVME_IO)
                                    UPPER_ISCSI_MAP(NAME_ROW, UPPER_ISCSI)};
#undef NAME_ROW

const char *upper_name(upper_space space, uint32_t value) {
  for (size_t i = 0; i < sizeof name_rows / sizeof name_rows[0]; i++) {
    if (name_rows[i].space == space && name_rows[i].value == value) {
      return name_rows[i].name;
    }
  }
  return NULL;
}

static const struct {
  const char *key;
  const char *label;
} name_protocols[] = {
    [UPPER_UNKNOWN] = {"unknown", "unknown"},
    [UPPER_RPC_RDMA] = {"rpc-rdma", "RPC-over-RDMA"},
    [UPPER_SMBD] = {"smb-direct", "SMB Direct"},
    [UPPER_NVME] = {"nvme-rdma", "NVMe"},
    [UPPER_ISER] = {"iser", "iSER"},
};

const char *upper_protocol_key(upper_protocol protocol) {
  return name_protocols[protocol].key;
}

const char *upper_protocol_label(upper_protocol protocol) {
  return name_protocols[protocol].label;
}
