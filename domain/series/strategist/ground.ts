/** What a review goes by, and the playbook that it proposes. */
import type {
  Allocation,
  DirectionEvidence,
  Experiment,
  Figure,
  Playbook,
  PlaybookDiff,
} from "../playbook.ts";
import type { Situation } from "./arms.ts";
import type { Evidence } from "./evidence.ts";

/** Everything that a review goes by. */
export interface Ground {
  situation: Situation;
  evidence: Evidence;
  /** The playbook in force; null before the first review and after a change of goal. */
  previous: Playbook | null;
  seed: string;
  /** When the review is made (ms), for dates in its words. Without it no experiments are declared. */
  at?: number;
  /** The experiments that the last review knew. */
  experiments?: readonly Experiment[];
}

/** A playbook with the figures and shares behind it. */
export interface Proposal {
  playbook: Playbook;
  figures: Figure[];
  allocation: Allocation;
  rationale: string;
  diff: PlaybookDiff | null;
  /** What each direction rests on. */
  evidence: DirectionEvidence[];
  experiments: Experiment[];
  /** Standard deviation of the log between like posts. */
  noise: number;
}
