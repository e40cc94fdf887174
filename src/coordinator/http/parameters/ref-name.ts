/** Description of parameters that name a branch or tag; the store resolves them with `resolveStoredRef`. */
export const REF_NAME =
  'a short name, `refs/heads/<name>` or `refs/tags/<name>`; a short name means the branch where both exist'
