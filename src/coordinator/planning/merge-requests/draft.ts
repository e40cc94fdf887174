const MARK = /^\s*(?:\[(?:draft|wip)\]|\(draft\)|(?:draft|wip):)/i

/** Whether the title marks a draft: it begins with `Draft:`, `[Draft]`, `(Draft)`, `WIP:` or `[WIP]` (API, F3). */
export function isDraft(title: string): boolean {
  return MARK.test(title)
}
