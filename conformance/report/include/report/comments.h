/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts about frames, in any order in, in the order of the frames out, in bounded memory. */
#ifndef REPORT_COMMENTS_H
#define REPORT_COMMENTS_H

#include <report/check.h>

/** REPORT_COMMENTS_OF_FRAME is how many texts of a frame are kept; the others are counted. */
#define REPORT_COMMENTS_OF_FRAME 256u

/** report_comments keeps them in files without a name, which go with it. */
typedef struct report_comments report_comments;

/** report_comments_new makes an empty list; NULL: no memory, or no place for the files. */
report_comments *report_comments_new(void);

/** report_comments_add keeps a text about a frame, or counts it where the frame has enough. A frame
 * may have more than the limit in the files, but never many more: the limit holds for each group of
 * 16,384 texts that are sorted together. */
void report_comments_add(report_comments *c, uint64_t frame, const char *text, size_t len);

/** report_comments_sort ends the adding; false: not all was kept, for lack of memory or space. */
bool report_comments_sort(report_comments *c);

/** report_comments_next yields the next text of this frame, in the order in which they were added;
 * false: no text is left within the limit, or it could not be read. Frames may only grow from call
 * to call. `text` is emptied first. */
bool report_comments_next(report_comments *c, uint64_t frame, out_buf *text);

/** report_comments_omitted is how many texts of the last frame were left out; it is known after
 * report_comments_next returned false for that frame. */
uint64_t report_comments_omitted(const report_comments *c);

/** report_comments_failed says whether a text could not be read back. */
bool report_comments_failed(const report_comments *c);

/** report_comments_free gives everything back; NULL is fine. */
void report_comments_free(report_comments *c);

/** report_format_comments keeps each finding as a text about its frame, in the report_comments that
 * `ctx` of its report_check is. It prints nothing, so it is no format of -T. */
extern const report_format report_format_comments;

#endif
