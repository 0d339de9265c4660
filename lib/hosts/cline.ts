import { type Host, LIKE_CLAUDE, MODEL_VENDORS } from "./host.ts";

/**
 * The facts about Cline. Only its tools were tried: a run leaves a process behind, and each of its hook programs has a
 * single owner.
 */
export const cline: Host = {
  title: "Cline",
  programs: ["cline"],
  tried: { packageName: "cline", version: "3.0.65" },
  folder: (env) => `${env("HOME")}/.cline`,
  project: ".cline",
  byHand: "Cline approves every tool by default, and calls no hooks of agentx: start it with " +
    "--auto-approve false, and have its agents note what is to be remembered",
  environment: { prefixes: ["CLINE_", ...MODEL_VENDORS] },
  hooks: { ...LIKE_CLAUDE, events: {}, hears: [] },
  limits: {},
  files: {
    starts: [".cline/", ".clinerules/"],
    instructs: [],
    skills: [".agents/skills"],
    state: [".cline"],
  },
};
