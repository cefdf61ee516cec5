/** The settings of a space that a person may want to change, in words. */
import type { Settings } from "../api/types";

export type Named = keyof Settings;

interface Choice {
  name: Named;
  label: string;
  options: readonly { value: string; says: string }[];
}

const yesNo = [
  { value: "true", says: "yes" },
  { value: "false", says: "no" },
];

export const CHOICES: readonly Choice[] = [
  {
    name: "truncationStrategy",
    label: "When it does not fit",
    options: [
      { value: "stickyWindow", says: "cut in steps, so that a cache lasts (stickyWindow)" },
      { value: "rollingWindow", says: "keep the newest (rollingWindow)" },
      { value: "truncateMiddle", says: "keep both ends (truncateMiddle)" },
      { value: "dropOldest", says: "drop the oldest (dropOldest)" },
      { value: "stopAtLimit", says: "refuse (stopAtLimit)" },
    ],
  },
  {
    name: "toolPolicy",
    label: "Tools",
    options: [
      { value: "auto", says: "as the conversation needs (auto)" },
      { value: "cached", says: "always, cached (cached)" },
      { value: "all-on", says: "all (all-on)" },
      { value: "all-off", says: "none (all-off)" },
      { value: "manual", says: "those chosen (manual)" },
    ],
  },
  {
    name: "reasoning",
    label: "What models thought",
    options: [
      { value: "keep", says: "is sent again where it must be (keep)" },
      { value: "concat", says: "becomes text (concat)" },
      { value: "drop", says: "is left out (drop)" },
    ],
  },
  {
    name: "errors",
    label: "Failed messages",
    options: [
      { value: "exclude", says: "are left out (exclude)" },
      { value: "note", says: "are sent as far as they came (note)" },
    ],
  },
  {
    name: "summary",
    label: "A summary stands",
    options: [
      { value: "system", says: "in the system text (system)" },
      { value: "message", says: "as a message (message)" },
    ],
  },
  {
    name: "cache",
    label: "Cache marks",
    options: [
      { value: "advance", says: "go along (advance)" },
      { value: "freeze", says: "stay (freeze)" },
      { value: "off", says: "none (off)" },
    ],
  },
  { name: "autoTitle", label: "Gets a title by itself", options: yesNo },
  { name: "annotations", label: "Remarks are part of it", options: yesNo },
  { name: "marker", label: "A cut is marked", options: yesNo },
];

interface Amount {
  name: Named;
  label: string;
  hint: string;
  step: string;
}

export const NUMBERS: readonly Amount[] = [
  { name: "contextLength", label: "Window in tokens", hint: "The model's own if empty.", step: "1" },
  { name: "maxTokens", label: "Most tokens of a reply", hint: "The rest is cut off.", step: "1" },
  { name: "tokenBuffer", label: "Kept free for the reply", hint: "Tokens, if no most is given.", step: "1" },
  { name: "window", label: "Newest messages looked at", hint: "0 means all.", step: "1" },
  { name: "minimumRecentNodes", label: "Newest always kept", hint: "When the middle is cut.", step: "1" },
  { name: "autoSummary", label: "Sums up by itself above", hint: "A share of the window, such as 0.8.", step: "0.05" },
];
