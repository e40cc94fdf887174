export interface Tasks {
  count: number
  completed: number
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ITEM = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+\S/
/** What the text of a line begins with that is a fence or an item, or spaces of other scripts before it. */
const MAY_COUNT = /[ \t]*([`~>*+\d\s-]|[^\0-\x7f])/y

/** The items of task lists in a Markdown text, `- [ ] open` and `- [x] done`; those in code blocks do not count. */
export function tasksIn(markdown: string | null): Tasks {
  const text = markdown ?? ''
  const tasks = { count: 0, completed: 0 }
  if (!/\[[ xX]\]/.test(text)) return tasks
  let fence: string | undefined
  for (let start = 0, end; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    MAY_COUNT.lastIndex = start
    if (end === start || !MAY_COUNT.test(text)) continue
    const line = text.slice(start, end)
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
