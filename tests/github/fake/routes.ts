// Every operation of the fake, by GitHub's name of it.

import type { Operations } from "./call.ts";
import { COMMENTS } from "./routes/comments.ts";
import { FIELDS } from "./routes/fields.ts";
import { GIT } from "./routes/git.ts";
import { ISSUES } from "./routes/issues.ts";
import { LABELS } from "./routes/labels.ts";
import { PULLS } from "./routes/pulls.ts";
import { RELATIONS } from "./routes/relations.ts";
import { REPOSITORIES } from "./routes/repositories.ts";
import { REVIEWS } from "./routes/reviews.ts";

export const OPERATIONS: Operations = {
  ...REPOSITORIES,
  ...ISSUES,
  ...COMMENTS,
  ...LABELS,
  ...RELATIONS,
  ...FIELDS,
  ...GIT,
  ...PULLS,
  ...REVIEWS,
};
