// Accounts and repositories, after GitHub's documentation.

import { canPush, notFound, ok, type Operations, Refusal } from "../call.ts";
import { selfView, userView } from "../views/account.ts";
import { repositoryView } from "../views/repository.ts";

export const REPOSITORIES: Operations = {
  "users/get-authenticated": (call) => ok(selfView(call, call.account.login)),
  "rate-limit/get": ({ rate }) => {
    if (rate === undefined) throw new Refusal(404, "Rate limiting is not enabled.");
    return ok({ resources: { core: rate, search: rate }, rate });
  },
  "repos/get": (call) => ok(repositoryView(call, call.repository, call.permission)),
  "repos/get-collaborator-permission-level": (call) => {
    if (!canPush(call)) {
      throw new Refusal(403, "Must have push access to view collaborator permission.");
    }
    const login = call.names.username!;
    if (!call.state.accounts.has(login)) throw notFound();
    const role = call.state.permission(login, call.repository);
    const permission = role === "maintain" ? "write" : role === "triage" ? "read" : role;
    const user = { ...userView(call, login), role_name: role };
    return ok({ permission, role_name: role, user });
  },
};
