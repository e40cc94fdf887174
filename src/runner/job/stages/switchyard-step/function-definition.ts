import { isWhole } from '../line-marks.js'

const HEAD = /^(?:function[ \t]+)?[A-Za-z_]\w*[ \t]*\([ \t]*\)\s*(?=\{(?:\s|$))/

/** Whether a command may be the beginning of the definition of a function. */
export function beginsFunction(command: string): boolean {
  return HEAD.test(command.trim())
}

/**
 * Whether a command defines a function and does nothing else, so that it can be run again without effect. In case of
 * doubt it does more.
 */
export function isFunctionDefinition(command: string): boolean {
  const text = command.trim()
  const head = HEAD.exec(text)?.[0]
  if (head === undefined || text.includes('<<') || !isWhole(text)) return false
  const body = text
    .slice(head.length)
    .replaceAll(/\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|\$\{[^{}]*\}/g, 'x')
    .replaceAll(/(?<=[\s;|&(])#[^\n]*/g, '')
  let depth = 0
  for (const { 0: brace, index } of body.matchAll(/(?<![^\s;|&()])[{}](?![^\s;|&()<>])/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth === 0) return index === body.length - 1
  }
  return false
}
