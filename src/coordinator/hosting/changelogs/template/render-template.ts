import { ChangelogError } from '../errors.js'
import type { Selector, TemplateNode } from './parse-template.js'

/** What templates read. */
export type TemplateValue =
  | string
  | number
  | boolean
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue }

/** Loops inside one another. */
const MAX_LOOPS = 4
/** Nodes that are evaluated, counted each time. */
const MAX_STEPS = 2_000_000
/** Characters of the result. */
const MAX_LENGTH = 8 * 1024 * 1024

/** Text of a template (API, E7). Throws `ChangelogError` if it takes too many steps, or its result is too long. */
export function renderChangelogTemplate(nodes: readonly TemplateNode[], data: TemplateValue): string {
  const rendered: string[] = []
  let [steps, length] = [0, 0]
  render(nodes, data, 0)
  return rendered.join('')

  function render(some: readonly TemplateNode[], current: TemplateValue, loops: number): void {
    for (const node of some) {
      steps += 1
      if (steps > MAX_STEPS) throw new ChangelogError('The template takes too many steps')
      if (node.kind === 'text') add(node.text)
      else if (node.kind === 'value') add(printValue(valueOf(current, node.selector)))
      else if (node.kind === 'if')
        render(isTrue(valueOf(current, node.selector)) ? node.then : node.otherwise, current, loops)
      else {
        if (loops >= MAX_LOOPS)
          throw new ChangelogError(`You can only nest up to ${MAX_LOOPS} loops in the template`)
        for (const item of itemsOf(valueOf(current, node.selector))) render(node.body, item, loops + 1)
      }
    }
  }

  function add(text: string): void {
    length += text.length
    if (length > MAX_LENGTH) throw new ChangelogError('The changelog is too long')
    rendered.push(text)
  }
}

function valueOf(current: TemplateValue, selector: Selector): TemplateValue | undefined {
  let value: TemplateValue | undefined = current
  for (const name of selector) {
    if (typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
    value = isList(value) ? value[Number(name)] : value[name]
  }
  return value
}

function itemsOf(value: TemplateValue | undefined): readonly TemplateValue[] {
  return value !== undefined && isList(value) ? value : []
}

function isTrue(value: TemplateValue | undefined): boolean {
  if (value === undefined || value === false || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function printValue(value: TemplateValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function isList(value: TemplateValue): value is readonly TemplateValue[] {
  return Array.isArray(value)
}
