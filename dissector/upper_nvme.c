/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shows NVMe over RDMA: the host sends Command Capsules, the controller Response Capsules.
 *
 * A Command Capsule is a submission queue entry, with data after it; a Response Capsule is a
 * completion queue entry. All numbers have their least significant octet first. NVMe over Fabrics
 * 1.1, NVM Express 1.4
 */
#include "upper_nvme.h"

#include <epan/conversation.h>
#include <epan/dissectors/packet-infiniband.h>
#include <upper/names.h>

#include "conns.h"
#include "iwarp_proto.h"
#include "records.h"

#define NVME_SQE_LEN 64u
#define NVME_CQE_LEN 16u
#define NVME_CM_LEN 32u /* Private Data of the connection request */
#define NVME_PORT 4420u
#define NVME_PORT_DISCOVERY 8009u
#define NVME_OPCODE_FABRICS 0x7Fu
#define NVME_SGL_AT 24u
#define NVME_SGL_TYPE_AT 39u

/* ---- names ---- */

#define NVME_NAME(unused, value, name) {value, name},
static const value_string nvme_fabrics[] = {UPPER_NVME_FABRICS_MAP(NVME_NAME, 0){0, NULL}};
static const value_string nvme_admin[] = {UPPER_NVME_ADMIN_MAP(NVME_NAME, 0){0, NULL}};
static const value_string nvme_io[] = {UPPER_NVME_IO_MAP(NVME_NAME, 0){0, NULL}};
#undef NVME_NAME
static const value_string nvme_status_types[] = {
    {0, "Generic"},      {1, "Command Specific"}, {2, "Media and Data Integrity"},
    {3, "Path Related"}, {7, "Vendor Specific"},  {0, NULL}};

/* NVM Express 1.4, 3.1 */
static const value_string nvme_properties[] = {{0x00, "Controller Capabilities"},
                                               {0x08, "Version"},
                                               {0x0C, "Interrupt Mask Set"},
                                               {0x10, "Interrupt Mask Clear"},
                                               {0x14, "Controller Configuration"},
                                               {0x1C, "Controller Status"},
                                               {0x20, "NVM Subsystem Reset"},
                                               {0x24, "Admin Queue Attributes"},
                                               {0x28, "Admin Submission Queue"},
                                               {0x30, "Admin Completion Queue"},
                                               {0x38, "Controller Memory Buffer Location"},
                                               {0x3C, "Controller Memory Buffer Size"},
                                               {0, NULL}};
/* Type and subtype. NVM Express 1.4, 4.4; NVMe over Fabrics 1.1, 2.3 */
static const value_string nvme_sgls[] = {{0x00, "Data Block: address"},
                                         {0x01, "Data Block: offset"},
                                         {0x10, "Bit Bucket"},
                                         {0x20, "Segment: address"},
                                         {0x21, "Segment: offset"},
                                         {0x30, "Last Segment: address"},
                                         {0x31, "Last Segment: offset"},
                                         {0x40, "Keyed Data Block: address"},
                                         {0x4F, "Keyed Data Block: address, invalidate the key"},
                                         {0x5A, "Transport Data Block"},
                                         {0, NULL}};

/* ---- fields ---- */

typedef enum nvme_group {
  NVME_COMMAND,
  NVME_NAMESPACE, /* commands other than Fabrics commands */
  NVME_FABRICS,
  NVME_KEYED, /* SGL 1 that names an STag */
  NVME_IN_CAPSULE,
  NVME_BLOCKS, /* Read, Write, Compare */
  NVME_CONNECT,
  NVME_PROPERTY,
  NVME_COMPLETION
} nvme_group;

/* Their places in the entry. */
static struct {
  nvme_group group;
  guint8 at;
  guint8 len;
  header_field_info info;
  int hf;
} nvme_fields[] = {
#define NVME_ROW(group, at, len, type, base, strings, mask, name, label)                           \
  { group, at, len, {label, IWARP_NAME ".nvme." name, type, base, strings, mask, NULL, HFILL}, -1 }
    NVME_ROW(NVME_COMMAND, 2, 2, FT_UINT16, BASE_HEX, NULL, 0, "cid", "Command Identifier"),
    NVME_ROW(NVME_NAMESPACE, 4, 4, FT_UINT32, BASE_DEC, NULL, 0, "nsid", "Namespace Identifier"),
    NVME_ROW(NVME_FABRICS, 4, 1, FT_UINT8, BASE_HEX, VALS(nvme_fabrics), 0, "fctype",
             "Fabrics Command Type"),
    NVME_ROW(NVME_KEYED, 24, 8, FT_UINT64, BASE_HEX, NULL, 0, "sgl.address", "SGL address"),
    NVME_ROW(NVME_KEYED, 32, 3, FT_UINT24, BASE_DEC, NULL, 0, "sgl.keyed_length", "SGL length"),
    NVME_ROW(NVME_KEYED, 35, 4, FT_UINT32, BASE_HEX, NULL, 0, "sgl.key", "SGL key (an STag)"),
    NVME_ROW(NVME_IN_CAPSULE, 24, 8, FT_UINT64, BASE_HEX, NULL, 0, "sgl.offset", "SGL offset"),
    NVME_ROW(NVME_IN_CAPSULE, 32, 4, FT_UINT32, BASE_DEC, NULL, 0, "sgl.length", "SGL length"),
    NVME_ROW(NVME_COMMAND, 39, 1, FT_UINT8, BASE_HEX, VALS(nvme_sgls), 0, "sgl.type", "SGL type"),
    NVME_ROW(NVME_BLOCKS, 40, 8, FT_UINT64, BASE_DEC, NULL, 0, "slba", "Starting LBA"),
    NVME_ROW(NVME_BLOCKS, 48, 2, FT_UINT16, BASE_DEC, NULL, 0, "nlb", "Blocks less one"),
    NVME_ROW(NVME_CONNECT, 42, 2, FT_UINT16, BASE_DEC, NULL, 0, "qid", "Queue"),
    NVME_ROW(NVME_CONNECT, 44, 2, FT_UINT16, BASE_DEC, NULL, 0, "sqsize", "Queue entries less one"),
    NVME_ROW(NVME_CONNECT, 48, 4, FT_UINT32, BASE_DEC, NULL, 0, "kato", "Keep Alive Timeout (ms)"),
    NVME_ROW(NVME_PROPERTY, 44, 4, FT_UINT32, BASE_HEX, VALS(nvme_properties), 0, "property",
             "Property"),
    NVME_ROW(NVME_PROPERTY, 48, 8, FT_UINT64, BASE_HEX, NULL, 0, "value", "Property value"),
    NVME_ROW(NVME_COMPLETION, 0, 8, FT_UINT64, BASE_HEX, NULL, 0, "result", "Result"),
    NVME_ROW(NVME_COMPLETION, 8, 2, FT_UINT16, BASE_DEC, NULL, 0, "sqhd", "Queue head"),
    NVME_ROW(NVME_COMPLETION, 12, 2, FT_UINT16, BASE_HEX, NULL, 0, "completion.cid",
             "Command Identifier"),
    NVME_ROW(NVME_COMPLETION, 14, 2, FT_UINT16, BASE_HEX, VALS(nvme_status_types), 0x0E00,
             "status.type", "Status Code Type"),
    NVME_ROW(NVME_COMPLETION, 14, 2, FT_UINT16, BASE_HEX, NULL, 0x01FE, "status", "Status Code"),
#undef NVME_ROW
};

static int nvme_proto = -1;
static int ett_nvme = -1;
static int hf_nvme_opcode = -1;
static int hf_nvme_command_in = -1;
static int hf_nvme_completion_in = -1;
static int hf_nvme_time = -1;
static int hf_nvme_data_of = -1;

static void nvme_show_group(proto_tree *tree, tvbuff_t *payload, nvme_group group) {
  for (size_t i = 0; i < G_N_ELEMENTS(nvme_fields); i++) {
    if (nvme_fields[i].group == group) {
      proto_tree_add_item(tree, nvme_fields[i].hf, payload, nvme_fields[i].at, nvme_fields[i].len,
                          ENC_LITTLE_ENDIAN);
    }
  }
}

/* ---- queues ---- */

/* nvme_command is a command with its completion, kept as long as the capture file is open. */
typedef struct nvme_command {
  guint32 frame;
  guint32 completed_in; /* 0: not yet */
  nstime_t time;
  nstime_t took;
  const char *name;
  guint16 cid;
  guint32 key; /* STag of the buffer in the host, or 0 */
  guint64 address;
  guint32 length;
} nvme_command;

/* nvme_open has the commands whose data may be under way, by key, then by address. */
typedef struct nvme_open {
  nvme_command **of;
  guint num;
  guint cap;
} nvme_open;

/* nvme_queue is a connection: each has one queue. */
struct nvme_queue {
  wmem_map_t *waiting; /* commands by CID */
  wmem_map_t *shown;   /* commands by the PDU of either capsule, or of data */
  nvme_open open;
  bool numbered;
  bool as_infiniband; /* Wireshark's dissector knows the queue */
  guint16 qid;
};

/* The queue that the host names as it connects. */
static bool nvme_cm_qid(guint16 *qid, const conn *c) {
  static const guint8 zeros[NVME_CM_LEN - 10] = {0};
  const guint8 *cm = c->request_data.ptr;
  if (c->request_data.len != NVME_CM_LEN || memcmp(cm, "\0\0", 2) != 0 ||
      memcmp(cm + 10, zeros, sizeof zeros) != 0 || (cm[4] | cm[5]) == 0) {
    return false;
  }
  *qid = (guint16)(cm[2] | cm[3] << 8);
  return true;
}

static struct nvme_queue *nvme_queue_of(conn *c) {
  if (c->nvme == NULL) {
    c->nvme = wmem_new0(wmem_file_scope(), struct nvme_queue);
    c->nvme->waiting = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
    c->nvme->shown = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
    c->nvme->numbered = nvme_cm_qid(&c->nvme->qid, c);
  }
  return c->nvme;
}

/* A command is named by its queue: the first one is for administration. */
static const char *nvme_name(const struct nvme_queue *queue, guint8 opcode, guint8 fctype) {
  const char *name = opcode == NVME_OPCODE_FABRICS ? try_val_to_str(fctype, nvme_fabrics)
                     : !queue->numbered            ? NULL
                     : queue->qid == 0             ? try_val_to_str(opcode, nvme_admin)
                                                   : try_val_to_str(opcode, nvme_io);
  return name != NULL ? name : wmem_strdup_printf(wmem_file_scope(), "Command 0x%02x", opcode);
}

/* ---- data under way ---- */

/* Commands whose buffers begin at or before an address of a key, or have a lower key. */
static guint nvme_open_before(const nvme_open *open, guint32 key, guint64 address) {
  guint low = 0;
  guint high = open->num;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    const nvme_command *c = open->of[middle];
    if (c->key < key || (c->key == key && c->address <= address)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static void nvme_open_add(nvme_open *open, nvme_command *command) {
  const guint at = nvme_open_before(open, command->key, command->address);
  if (command->length == 0) {
    return;
  }
  if (open->num == open->cap) {
    open->cap = MAX(16, 2 * open->cap);
    open->of = wmem_realloc(wmem_file_scope(), open->of, open->cap * sizeof *open->of);
  }
  memmove(open->of + at + 1, open->of + at, (open->num - at) * sizeof *open->of);
  open->of[at] = command;
  open->num++;
}

static void nvme_open_remove(nvme_open *open, const nvme_command *command) {
  guint at = nvme_open_before(open, command->key, command->address);
  while (at > 0 && open->of[at - 1]->key == command->key &&
         open->of[at - 1]->address == command->address) {
    at--;
    if (open->of[at] == command) {
      open->num--;
      memmove(open->of + at, open->of + at + 1, (open->num - at) * sizeof *open->of);
      return;
    }
  }
}

/* The command whose buffer has an address, or NULL. */
static nvme_command *nvme_open_find(const nvme_open *open, guint32 key, guint64 address) {
  const guint before = nvme_open_before(open, key, address);
  nvme_command *c = before > 0 ? open->of[before - 1] : NULL;
  return c != NULL && c->key == key && address - c->address < c->length ? c : NULL;
}

/* The host's buffer that a segment accesses: the controller writes and reads it. */
static bool nvme_buffer(guint32 *key, guint64 *address, const pdu_view *v) {
  const exchange *e = v->pdu->answers ? v->pdu->rest->exchange : NULL;
  const bool request = v->seg->kind == IWARP_RDMAP_KIND_READ_REQ;
  if (request || e != NULL) {
    const iwarp_rdmap_read_req *read = request ? &v->seg->u.read_req : &e->sink;
    *key = read->source_stag;
    *address = read->source_to;
    return request || !e->atomic;
  }
  *key = v->seg->ddp.stag;
  *address = v->seg->ddp.to;
  return v->seg->ddp.tagged &&
         iwarp_rdmap_op_get(v->seg->ctrl.opcode)->cls == IWARP_RDMAP_CLASS_WRITE;
}

bool upper_nvme_data(const pdu_view *v) {
  struct nvme_queue *queue = v->pdu->conn->nvme;
  guint32 key;
  guint64 address;
  if (queue == NULL || !nvme_buffer(&key, &address, v)) {
    return false;
  }
  nvme_command *command = wmem_map_lookup(queue->shown, v->pdu);
  if (command == NULL && !PINFO_FD_VISITED(v->pinfo)) {
    command = nvme_open_find(&queue->open, key, address);
    if (command != NULL) {
      wmem_map_insert(queue->shown, v->pdu, command);
    }
  }
  const guint32 frame = command != NULL ? records_frame(command->frame) : 0;
  if (frame != 0) {
    proto_item_set_generated(proto_tree_add_uint_format(
        v->tree, hf_nvme_data_of, NULL, 0, 0, frame, "NVMe data of %s, command 0x%04x in frame %u",
        command->name, command->cid, frame));
  }
  return command != NULL;
}

/* ---- as the octets come ---- */

/* The buffer of a command, if it has a key. */
static void nvme_keyed(nvme_command *command, tvbuff_t *payload) {
  if (ws_tvb_u8(payload, NVME_SGL_TYPE_AT) >> 4 == 4) {
    command->address = tvb_get_letoh64(payload, 24);
    command->length = tvb_get_letoh24(payload, 32);
    command->key = tvb_get_letohl(payload, 35);
  }
}

/* A command with the identifier of one that waits takes its place. */
static void nvme_wait(struct nvme_queue *queue, nvme_command *command) {
  const nvme_command *before =
      wmem_map_insert(queue->waiting, GUINT_TO_POINTER(command->cid), command);
  if (before != NULL) {
    nvme_open_remove(&queue->open, before);
  }
  nvme_open_add(&queue->open, command);
}

static nvme_command *nvme_begin(struct nvme_queue *queue, const pdu_view *v, tvbuff_t *payload) {
  nvme_command *command = wmem_new0(wmem_file_scope(), nvme_command);
  const guint8 *head = tvb_get_ptr(payload, 0, NVME_SQE_LEN);
  if (head[0] == NVME_OPCODE_FABRICS && head[4] == 1) {
    queue->qid = tvb_get_letohs(payload, 42);
    queue->numbered = true;
  }
  command->frame = records_of(v->pinfo->num);
  command->time = v->pinfo->abs_ts;
  command->name = nvme_name(queue, head[0], head[4]);
  command->cid = tvb_get_letohs(payload, 2);
  nvme_keyed(command, payload);
  nvme_wait(queue, command);
  return command;
}

static nvme_command *nvme_end(struct nvme_queue *queue, const pdu_view *v, tvbuff_t *payload) {
  const gconstpointer cid = GUINT_TO_POINTER(tvb_get_letohs(payload, 12));
  nvme_command *command = wmem_map_remove(queue->waiting, cid);
  if (command != NULL) {
    nvme_open_remove(&queue->open, command);
    command->completed_in = records_of(v->pinfo->num);
    nstime_delta(&command->took, &v->pinfo->abs_ts, &command->time);
  }
  return command;
}

static const nvme_command *nvme_follow(const pdu_view *v, tvbuff_t *payload, bool completion) {
  struct nvme_queue *queue = nvme_queue_of(v->pdu->conn);
  nvme_command *command = wmem_map_lookup(queue->shown, v->pdu);
  if (command == NULL && !PINFO_FD_VISITED(v->pinfo)) {
    command = completion ? nvme_end(queue, v, payload) : nvme_begin(queue, v, payload);
    wmem_map_insert(queue->shown, v->pdu, command);
  }
  return command;
}

/* ---- as it is shown ---- */

static void nvme_show_sgl(proto_tree *tree, tvbuff_t *payload) {
  const guint8 type = ws_tvb_u8(payload, NVME_SGL_TYPE_AT) >> 4;
  if (type == 4) {
    nvme_show_group(tree, payload, NVME_KEYED);
  } else if (type == 0) {
    nvme_show_group(tree, payload, NVME_IN_CAPSULE);
  }
}

static void nvme_show_fabrics(proto_tree *tree, tvbuff_t *payload) {
  const guint8 fctype = ws_tvb_u8(payload, 4);
  nvme_show_group(tree, payload, NVME_FABRICS);
  if (fctype == 1) {
    nvme_show_group(tree, payload, NVME_CONNECT);
  } else if (fctype == 0 || fctype == 4) {
    nvme_show_group(tree, payload, NVME_PROPERTY);
  }
}

static void nvme_show_command(const pdu_view *v, proto_tree *tree, tvbuff_t *payload,
                              const nvme_command *command) {
  const struct nvme_queue *queue = v->pdu->conn->nvme;
  const guint8 opcode = ws_tvb_u8(payload, 0);
  proto_tree_add_uint_format_value(tree, hf_nvme_opcode, payload, 0, 1, opcode, "%s (0x%02x)",
                                   command != NULL ? command->name : "unknown", opcode);
  nvme_show_group(tree, payload, NVME_COMMAND);
  nvme_show_sgl(tree, payload);
  if (opcode == NVME_OPCODE_FABRICS) {
    nvme_show_fabrics(tree, payload);
    return;
  }
  nvme_show_group(tree, payload, NVME_NAMESPACE);
  if (queue->numbered && queue->qid > 0 && (opcode == 1 || opcode == 2 || opcode == 5)) {
    nvme_show_group(tree, payload, NVME_BLOCKS);
  }
}

static void nvme_show_link(const pdu_view *v, proto_tree *tree, const nvme_command *command,
                           bool completion) {
  if (completion) {
    records_show(tree, hf_nvme_command_in, command->frame);
    proto_item_set_generated(proto_tree_add_time(tree, hf_nvme_time, NULL, 0, 0, &command->took));
  } else if (command->completed_in != 0 && command->completed_in <= v->known) {
    records_show(tree, hf_nvme_completion_in, command->completed_in);
  }
}

/* ---- Wireshark's own dissector ---- */

#define NVME_IB_SERVICE (0x01060000u | NVME_PORT) /* Service ID of RDMA_CM: TCP, and the port */
#define NVME_IB_QID_AT 178u /* offset of the QID in RDMA_CM's Private Data: connection request */

static heur_dtbl_entry_t *nvme_ib; /* NVMe over RDMA on InfiniBand; may be NULL */

/* It knows a queue by conversations of InfiniBand: to the host, to the controller, and of both. The
 * ports of TCP take the place of queue pairs. */
static void nvme_ib_conversations(struct nvme_queue *queue, const packet_info *pinfo,
                                  bool from_host) {
  const address *ends[] = {from_host ? &pinfo->src : &pinfo->dst,
                           from_host ? &pinfo->dst : &pinfo->src};
  const guint32 ports[] = {from_host ? pinfo->srcport : pinfo->destport,
                           from_host ? pinfo->destport : pinfo->srcport};
  const int infiniband = proto_get_id_by_filter_name("infiniband");
  for (guint i = 0; i < 2; i++) {
    conversation_infiniband_data *data = wmem_new0(wmem_file_scope(), conversation_infiniband_data);
    data->service_id = NVME_IB_SERVICE;
    data->client_to_server = i == 1;
    data->src_qp = ports[0];
    memcpy(data->mad_private_data + NVME_IB_QID_AT, &queue->qid, sizeof queue->qid);
    conversation_add_proto_data(conversation_new(pinfo->num, ends[i], ends[i], CONVERSATION_IBQP,
                                                 ports[i], ports[i], NO_ADDR2 | NO_PORT2),
                                infiniband, data);
  }
  conversation_new(pinfo->num, ends[0], ends[1], CONVERSATION_IBQP, ports[0], ports[1], 0);
  queue->as_infiniband = true;
}

/* Gives a capsule to it, so that filters `nvme.` find what the capsule holds. The columns stay. */
static void nvme_ib_show(const pdu_view *v, proto_tree *root, tvbuff_t *payload) {
  struct nvme_queue *queue = v->pdu->conn->nvme;
  packet_info *pinfo = v->pinfo;
  struct infinibandinfo info = {.payload_tree = root, .opCode = RC_SEND_ONLY};
  if (nvme_ib == NULL || !nvme_ib->enabled || !proto_is_protocol_enabled(nvme_ib->protocol) ||
      !queue->numbered || v->pdu->role == IWARP_ROLE_UNKNOWN) {
    return;
  }
  if (!queue->as_infiniband && !PINFO_FD_VISITED(pinfo)) {
    nvme_ib_conversations(queue, pinfo, v->pdu->role == IWARP_ROLE_INITIATOR);
  }
  if (queue->as_infiniband) {
    col_set_writable(pinfo->cinfo, COL_PROTOCOL, FALSE);
    col_set_writable(pinfo->cinfo, COL_INFO, FALSE);
    call_heur_dissector_direct(nvme_ib, payload, pinfo, root, &info);
  }
}

void upper_nvme_handoff(void) {
  nvme_ib = find_heur_dissector_by_unique_short_name("nvme_rdma");
}

/* ---- a capsule ---- */

void upper_nvme_show(const pdu_view *v, proto_tree *root, tvbuff_t *payload) {
  const guint len = tvb_captured_length(payload);
  const bool completion = len < NVME_SQE_LEN;
  if (len < NVME_CQE_LEN) {
    return;
  }
  const nvme_command *command = nvme_follow(v, payload, completion);
  const char *name = command != NULL ? command->name : "unknown";
  const char *words =
      wmem_strdup_printf(v->pinfo->pool, "%s %s", name, completion ? "completion" : "command");
  col_set_str(v->pinfo->cinfo, COL_PROTOCOL, "NVMe/RDMA");
  col_append_fstr(v->pinfo->cinfo, COL_INFO, "; NVMe %s", words);
  proto_item *item = proto_tree_add_item(root, nvme_proto, payload, 0, -1, ENC_NA);
  proto_item_append_text(item, ": %s", words);
  proto_tree *tree = proto_item_add_subtree(item, ett_nvme);
  if (completion) {
    nvme_show_group(tree, payload, NVME_COMPLETION);
  } else {
    nvme_show_command(v, tree, payload, command);
  }
  if (command != NULL) {
    nvme_show_link(v, tree, command, completion);
  }
  nvme_ib_show(v, root, payload);
}

/* ---- which Sends are capsules ---- */

static bool nvme_port(const conn *c) {
  for (unsigned int i = 0; i < 2; i++) {
    if (c->addr[i].port == NVME_PORT || c->addr[i].port == NVME_PORT_DISCOVERY) {
      return true;
    }
  }
  return false;
}

/* The host describes data by SGLs alone; bits 2 to 5 of its flags are reserved. */
static bool nvme_like_command(tvbuff_t *payload) {
  const guint8 flags = ws_tvb_u8(payload, 1);
  return (flags & 0x3Cu) == 0 && (flags & 0xC0u) != 0 && (flags & 0xC0u) != 0xC0u;
}

bool upper_nvme_is(const pdu_view *v, tvbuff_t *payload) {
  const guint len = tvb_captured_length(payload);
  guint16 qid;
  if (!nvme_port(v->pdu->conn) && !nvme_cm_qid(&qid, v->pdu->conn)) {
    return false;
  }
  return v->pdu->role == IWARP_ROLE_RESPONDER || len == NVME_CQE_LEN
             ? len == NVME_CQE_LEN
             : len >= NVME_SQE_LEN && nvme_like_command(payload);
}

/* ---- registration ---- */

int upper_nvme_register(int proto) {
  static hf_register_info rows[G_N_ELEMENTS(nvme_fields)];
  static hf_register_info beside[] = {
      {&hf_nvme_opcode,
       {"Opcode", IWARP_NAME ".nvme.opcode", FT_UINT8, BASE_HEX, NULL, 0, NULL, HFILL}},
      {&hf_nvme_command_in,
       {"Command in frame", IWARP_NAME ".nvme.command_in", FT_FRAMENUM, BASE_NONE,
        FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0, NULL, HFILL}},
      {&hf_nvme_completion_in,
       {"Completion in frame", IWARP_NAME ".nvme.completion_in", FT_FRAMENUM, BASE_NONE,
        FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0, NULL, HFILL}},
      {&hf_nvme_time,
       {"Time since the command", IWARP_NAME ".nvme.time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
        NULL, HFILL}},
      {&hf_nvme_data_of,
       {"NVMe data of the command in frame", IWARP_NAME ".nvme.data_of", FT_FRAMENUM, BASE_NONE,
        FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0, NULL, HFILL}}};
  static int *const subtrees[] = {&ett_nvme};
  for (size_t i = 0; i < G_N_ELEMENTS(nvme_fields); i++) {
    rows[i] = (hf_register_info){&nvme_fields[i].hf, nvme_fields[i].info};
  }
  proto_register_field_array(proto, rows, (int)G_N_ELEMENTS(rows));
  proto_register_field_array(proto, beside, (int)G_N_ELEMENTS(beside));
  proto_register_subtree_array(subtrees, (int)G_N_ELEMENTS(subtrees));
  nvme_proto = proto_register_protocol_in_name_only("NVMe over RDMA (iWARP)", "NVMe/iWARP",
                                                    IWARP_NAME ".nvme", proto, FT_PROTOCOL);
  return nvme_proto;
}
