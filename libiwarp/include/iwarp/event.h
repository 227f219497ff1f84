/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of the engines that watch: an event is one thing that happened in one direction. */
#ifndef IWARP_EVENT_H
#define IWARP_EVENT_H

#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>
#include <iwarp/sctp_session.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * IWARP_POS_UNKNOWN is no position.
 *
 * Positions: every octet of one direction of a transport connection has a
 * 64-bit position that grows by one an octet. The caller chooses where it starts; over TCP, let the
 * low 32 bits be the sequence number. The stream offset of MPA (Markers, `offset`) counts from the
 * first octet of Full Operation instead and is a difference of two positions.
 */
#define IWARP_POS_UNKNOWN UINT64_MAX

/** iwarp_meta is what the caller knows about octets that it pushes; it comes back with the events
 * made of them. */
typedef struct iwarp_meta {
  uint64_t packet;  /* the caller's number of the packet; larger is later */
  uint64_t time_ns; /* the caller's time; carried, never interpreted */
  /** position in the opposite stream up to which the sender had received everything when it sent
   * these octets (TCP's acknowledgment number); IWARP_POS_UNKNOWN */
  uint64_t peer_pos;
  bool segment_start; /* the first of these octets begins a transport segment */
  bool damaged; /* these octets may differ from what the receiver took: their transport checksum was
                   wrong and no other copy is available, or `differ` */
  bool differ;  /* another copy of these octets was captured that differs, and it is not known which
                   one the receiver took */
} iwarp_meta;

/** iwarp_tristate is a switch that may be unknown. */
typedef enum iwarp_tristate {
  IWARP_TRISTATE_UNKNOWN = 0, /* not known */
  IWARP_TRISTATE_OFF,         /* known to be off */
  IWARP_TRISTATE_ON           /* known to be on */
} iwarp_tristate;

/** iwarp_known_by says what settled a switch. */
typedef enum iwarp_known_by {
  IWARP_KNOWN_BY_NOTHING = 0, /* nothing so far */
  IWARP_KNOWN_BY_STARTUP,     /* settled by the startup frames */
  IWARP_KNOWN_BY_CALLER,      /* settled by the caller */
  IWARP_KNOWN_BY_DATA         /* inferred from the data */
} iwarp_known_by;

/** iwarp_role is the MPA role of a side. RFC 5044 7.1. */
typedef enum iwarp_role {
  IWARP_ROLE_UNKNOWN = 0, /* not known */
  IWARP_ROLE_INITIATOR,   /* sends the Request */
  IWARP_ROLE_RESPONDER    /* sends the Reply */
} iwarp_role;

/** iwarp_crc_state is the judgement on the CRC field of an FPDU. */
typedef enum iwarp_crc_state {
  IWARP_CRC_UNCHECKED = 0, /* CRCs not in use or not known to be, or octets missing */
  IWARP_CRC_GOOD,          /* the CRC field is right */
  IWARP_CRC_BAD            /* the CRC field is wrong */
} iwarp_crc_state;

/** iwarp_fpdu_sync says on what the start of an FPDU rests. RFC 5044 6. */
typedef enum iwarp_fpdu_sync {
  IWARP_SYNC_NONE = 0, /* no start is known */
  IWARP_SYNC_STARTUP,  /* unbroken chain of ULPDU_Lengths since the startup frame */
  IWARP_SYNC_MARKER,   /* a Marker, and the chain since then */
  IWARP_SYNC_CRC,      /* a CRC32c, and the chain since then */
  IWARP_SYNC_HEURISTIC /* a plausible header where a transport segment begins, and the chain since
                        * then
                        */
} iwarp_fpdu_sync;

/** iwarp_gap_reason says why octets are missing. */
typedef enum iwarp_gap_reason {
  IWARP_GAP_LOST = 0, /* no packet of the capture holds them */
  IWARP_GAP_SNAPLEN,  /* the packet was captured, but cut */
  IWARP_GAP_CHECKSUM  /* the packet was captured, but its checksum is wrong */
} iwarp_gap_reason;

/** iwarp_undec_reason says why octets could not be decoded. */
typedef enum iwarp_undec_reason {
  IWARP_UNDEC_UNFINISHED = 0, /* the stream ends inside the item */
  IWARP_UNDEC_AFTER_REJECT, /* octets after a rejecting Reply, as one run up to a gap or the end */
  IWARP_UNDEC_NO_BOUNDARY,  /* no FPDU boundary is known here: after a gap, or in mid-stream */
  IWARP_UNDEC_NOT_FPDU      /* octets after a startup frame that do not begin an FPDU */
} iwarp_undec_reason;

/** IWARP_RUN_HEAD_LEN is the most octets that a STREAMING or UNDECODABLE event shows of its run. */
#define IWARP_RUN_HEAD_LEN 64u

/** iwarp_end says how a direction ended. */
typedef enum iwarp_end {
  IWARP_END_OPEN = 0, /* the direction has not ended */
  IWARP_END_FIN,      /* FIN: the stream ended in order */
  IWARP_END_RST,      /* the transport connection was reset; by this side where peer_pos is known */
  IWARP_END_CAPTURE   /* the capture ends, or the connection was given up */
} iwarp_end;

/** Limits of an engine that cost it something which was available, as bits; they stay set.
 * iwarp_rx_limits and iwarp_observer_info tell. */
#define IWARP_LIMIT_SEARCH 0x1u  /* work allowed for finding an FPDU boundary */
#define IWARP_LIMIT_HOLES 0x2u   /* holes distinguished inside one FPDU */
#define IWARP_LIMIT_PACKETS 0x4u /* packets distinguished where a boundary is searched */
#define IWARP_LIMIT_WINDOW 0x8u  /* messages over SCTP that wait for their DDP-SSN */
#define IWARP_LIMIT_ULPDU 0x10u  /* octets of a ULPDU, or of Private Data: max_ulpdu */

/** iwarp_event_kind says which member of the union of iwarp_event counts. */
typedef enum iwarp_event_kind {
  IWARP_EVENT_STARTUP = 0, /* an MPA Request or Reply Frame */
  IWARP_EVENT_FPDU,        /* an FPDU, complete or not */
  IWARP_EVENT_GAP,         /* octets that are missing */
  IWARP_EVENT_UNDECODABLE, /* octets that nothing could be made of */
  IWARP_EVENT_STREAMING,   /* octets before the startup frame, as one run */
  IWARP_EVENT_END,         /* the direction ended */
  /* over SCTP, RFC 5043; `sctp` of the event is set */
  IWARP_EVENT_SCTP_INIT,    /* INIT or INIT ACK of a side, see iwarp_sctp_assoc_set_params */
  IWARP_EVENT_SCTP_MESSAGE, /* a Session Control message, or one that has no place in the session */
  IWARP_EVENT_SCTP_SEGMENT  /* a DDP Segment in its place; only these members of `fpdu` are set:
                               ulpdu_length (octets of the segment), complete, crc (CRC of the SCTP
                               packet), sync, seg, term_place */
} iwarp_event_kind;

/** iwarp_event_startup: a startup frame. */
typedef struct iwarp_event_startup {
  iwarp_mpa_startup frame; /* private_data may hold fewer octets than pd_length, see err */
  iwarp_mpa_key key;       /* UNKNOWN: a wrong key where a startup frame was expected */
  bool is_reply; /* printed and judged as a Reply (right Reply key, or a wrong key in the Reply's
                    place) */
  bool enhanced; /* enh is set */
  iwarp_mpa_enhanced enh; /* RFC 6581 9 */
  iwarp_span ulp_data;    /* Private Data without the enhanced octets or the octets of Rev 129 */
  iwarp_err err; /* OK, or MPA_PD_LENGTH: octets of the Private Data are missing (end of stream, or
                    a gap) */
  bool snapped;  /* the snapshot length cut the packet in which the frame ends, and the frame ends
                    with this packet; set only with MPA_PD_LENGTH */
} iwarp_event_startup;

/** iwarp_event_fpdu: an FPDU, complete or with octets that the capture does not hold. */
typedef struct iwarp_event_fpdu {
  iwarp_mpa_fpdu fpdu;   /* fpdu.wire is cut short when !complete, but ULPDU_Length is there;
                            fpdu.pad and fpdu.crc count only when present */
  bool complete;         /* every octet is there */
  bool pad_present;      /* every octet of PAD is there */
  bool crc_present;      /* every octet of the CRC field is there */
  iwarp_crc_state crc;   /* judgement on the CRC field */
  uint32_t crc_computed; /* CRC32c over the covered octets; set when crc is not UNCHECKED */
  uint64_t offset;       /* stream offset of ULPDU_Length, or IWARP_POS_UNKNOWN */
  iwarp_fpdu_sync sync;  /* evidence for the start of the FPDU */
  /** place of a Terminate, as far as an observer of both directions knows; else UNKNOWN */
  iwarp_rdmap_term_place term_place;
  uint64_t good_run;   /* octets of FPDUs whose CRCs are good, in a row up to this one */
  iwarp_rdmap_seg seg; /* the DDP Segment; its spans live until the next call on the engine */
} iwarp_event_fpdu;

/** iwarp_ev_sctp_init: the INIT or INIT ACK of a side. RFC 9260 3.3.2 */
typedef struct iwarp_ev_sctp_init {
  const struct iwarp_sctp_assoc_params *params; /* the parameters of the chunk */
  uint16_t granted; /* INIT ACK: outbound streams that the INIT allows; 0: not known */
} iwarp_ev_sctp_init;

/** iwarp_ev_sctp_message: a message of a DDP stream, in its place in the session or not. */
typedef struct iwarp_ev_sctp_message {
  const struct iwarp_sctp_captured *captured; /* the argument of iwarp_sctp_observer_push */
  iwarp_span user_data;       /* octets of the message, as far as they were captured */
  uint32_t session;           /* 1: the first session since the order of the stream is known */
  uint16_t ssn;               /* DDP-SSN */
  bool has_ssn;               /* ssn is set */
  iwarp_sctp_kind kind;       /* kind of the message */
  iwarp_sctp_verdict verdict; /* verdict of the table of states */
  iwarp_sctp_reason reason;   /* reason why the message has no place, or NONE */
  iwarp_sctp_state state;     /* state after the message, seen from side 0 */
  bool inconclusive;          /* messages of the session are missing before it */
  bool misnumbered; /* the message has no place for its DDP-SSN, though no message was lost: the
                       order of the capture does not explain that */
  bool resumed;     /* an unknown number of the side's messages is missing before this one */
  bool held[2];     /* per side: messages still wait for an earlier DDP-SSN */
  bool has_control; /* control is set */
  iwarp_sctp_control control; /* the Session Control message */
  bool enhanced;              /* enh is set, RFC 6581 7 */
  iwarp_mpa_enhanced enh;     /* RFC 6581 9 */
  iwarp_span ulp_data;        /* Private Data without the enhanced octets */
} iwarp_ev_sctp_message;

/** iwarp_ev_sctp_gap: DDP-SSNs of a side that no message of the session has. */
typedef struct iwarp_ev_sctp_gap {
  uint16_t ssn;     /* the first missing DDP-SSN */
  uint32_t missing; /* number of missing DDP-SSNs */
  bool final;       /* the association ended in order: no message can come any more */
} iwarp_ev_sctp_gap;

/** iwarp_sctp_follows says what an END shows of the next session of its stream. */
typedef enum iwarp_sctp_follows {
  IWARP_SCTP_FOLLOWS_NOTHING = 0, /* no Initiate came while messages of this session were missing */
  IWARP_SCTP_FOLLOWS,             /* an Initiate came, which began the next session */
  IWARP_SCTP_FOLLOWS_SIDE, /* this side sent or answered that Initiate, with no message missing */
  IWARP_SCTP_FOLLOWS_APART /* FOLLOWS_SIDE, and the side sends no more messages of this session */
} iwarp_sctp_follows;

/** iwarp_ev_sctp_end: the end of a side of a session. */
typedef struct iwarp_ev_sctp_end {
  bool final;                 /* the association ended in order: no message can come any more */
  iwarp_sctp_follows follows; /* knowledge of the next session of the stream */
} iwarp_ev_sctp_end;

/** iwarp_ev_sctp: what belongs to an event of a DDP Stream Session over SCTP. RFC 5043. */
typedef struct iwarp_ev_sctp {
  bool lossless[2]; /* per side: no message was lost since the session began; INIT: false */
  union {
    iwarp_ev_sctp_init init;       /* SCTP_INIT */
    iwarp_ev_sctp_message message; /* SCTP_MESSAGE, SCTP_SEGMENT */
    iwarp_ev_sctp_gap gap;         /* GAP */
    iwarp_ev_sctp_end end;         /* END */
  } u;                             /* members by kind */
} iwarp_ev_sctp;

/**
 * iwarp_event is one thing that happened in one direction. Spans in it borrow the pushed octets or
 * the engine's memory and are valid until the next call on the engine.
 */
typedef struct iwarp_event {
  iwarp_event_kind kind; /* says which member of `u` counts */
  uint8_t side;          /* 0 or 1: whose octets */
  uint64_t pos;          /* position of the first octet; of ULPDU_Length for an FPDU */
  /** octets of the stream from pos on (for an FPDU without its leading Marker; for a STARTUP that a
   * gap or the end cuts what it announces) */
  uint64_t len;
  iwarp_meta first; /* meta of the packet that holds the first octet */
  iwarp_meta last; /* meta of the packet with the largest number, of all packets that hold octets */
  union {
    iwarp_event_startup startup;    /* STARTUP */
    iwarp_event_fpdu fpdu;          /* FPDU, SCTP_SEGMENT */
    iwarp_gap_reason gap;           /* GAP: why */
    iwarp_undec_reason undecodable; /* UNDECODABLE: why */
    iwarp_end end;                  /* END: how */
  } u;                              /* members by kind */
  const iwarp_ev_sctp *sctp;        /* over SCTP: the details; else NULL */
  /** STREAMING, UNDECODABLE over TCP: first octets, at most IWARP_RUN_HEAD_LEN */
  iwarp_span head;
  /** UNDECODABLE over TCP, UNFINISHED: transport segments after its first octet that begin with
   * what looks like an FPDU */
  uint32_t fpdu_like;
  /** UNDECODABLE over TCP, AFTER_REJECT, right after the side's startup frame: whether the octets
   * begin with a whole FPDU, with Markers or without, that its CRC proves. UNKNOWN: a gap comes
   * before its end. */
  iwarp_tristate begins_fpdu;
  /** UNDECODABLE over TCP, UNFINISHED inside an FPDU: all of its octets, from a Marker before it
   * on; else empty */
  iwarp_span unfinished;
  /** STARTUP, UNDECODABLE over TCP: as `last`, of the first IWARP_MPA_STARTUP_LEN octets alone.
   * STARTUP, FPDU where `last.differ`: `differ` says whether octets by which the connection goes,
   * or of the headers, are among those that differ */
  iwarp_meta head_last;
} iwarp_event;

/**
 * iwarp_event_payload yields the payload of the DDP Segment of `ev` (an FPDU or an SCTP_SEGMENT),
 * run by run: the octets after the DDP header, without Markers. The spans are valid as long as the
 * spans of the event.
 *
 * `*cursor` starts at 0 and is moved by the call: before it, it is the offset of the run in the
 * payload, so that TO or MO plus it is where the run belongs. END after the last run, or for an
 * event without a DDP header; all runs together are `seg.payload_len` octets, fewer where octets
 * were not captured. At most IWARP_MPA_MARKERS_MAX + 1 runs.
 */
IWARP_API iwarp_err iwarp_event_payload(iwarp_span *out, size_t *cursor, const iwarp_event *ev);

#ifdef __cplusplus
}
#endif

#endif
