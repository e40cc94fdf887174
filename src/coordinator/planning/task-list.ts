export interface Tasks {
  count: number
  completed: number
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ITEM = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+\S/

/** The items of task lists in a Markdown text, `- [ ] open` and `- [x] done`; those in code blocks do not count. */
export function tasksIn(markdown: string | null): Tasks {
  let fence: string | undefined
  const tasks = { count: 0, completed: 0 }
  for (const line of (markdown ?? '').split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      continue
    }
    if (mark !== undefined) {
      fence = mark
      continue
    }
    const box = ITEM.exec(line)?.[1]
    if (box === undefined) continue
    tasks.count += 1
    if (box !== ' ') tasks.completed += 1
  }
  return tasks
}
