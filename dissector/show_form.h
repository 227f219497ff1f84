/* SPDX-License-Identifier: BSD-2-Clause */
/* One form of a PDU, field by field. */
#ifndef DISSECTOR_SHOW_FORM_H
#define DISSECTOR_SHOW_FORM_H

#include "pdu_view.h"

/* show_form adds the fields of a part that has a form to `tree`, by the field table. */
void show_form(const pdu_view *v, proto_tree *tree, const iwarp_pdu_iter *it,
               const iwarp_pdu_part *part);

/* show_form_tree adds the subtree of a part to `tree`; its line says what the part holds. */
proto_tree *show_form_tree(const pdu_view *v, proto_tree *tree, const iwarp_pdu_iter *it,
                           const iwarp_pdu_part *part);

#endif
