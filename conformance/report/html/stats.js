/* SPDX-License-Identifier: BSD-2-Clause */
"use strict";
Array.prototype.forEach.call(document.querySelectorAll("section"), plots);
