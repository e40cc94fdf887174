/** How parameters that name a branch or tag are described; the store resolves them with `resolveStoredRef`. */
export const REF_NAME =
  'a short name, `refs/heads/<name>` or `refs/tags/<name>`; a short name means the branch where both exist'
