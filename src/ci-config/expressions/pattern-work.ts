import type { RE2JS } from 're2js'

import { invalid } from '../errors.js'
import { limits } from '../limits.js'
import { parseRegexLiteral } from './regex-literal.js'

/**
 * Limits the cost of the regular expressions in one compilation. Each takes linear time, but a file can
 * contain thousands of large ones. Cached results are neither repeated nor counted again.
 */
export class PatternWork {
  private static readonly known = new WeakMap<object, PatternWork>()

  private elements: number = limits.patternElementsOfAll
  private steps: number = limits.patternSteps
  private readonly literals = new Map<string, ReturnType<typeof parseRegexLiteral>>()
  private readonly responses = new Map<RE2JS, Map<string, boolean>>()

  /** The instance that belongs to an object which all users share. */
  static of(owner: object): PatternWork {
    const work = this.known.get(owner) ?? new PatternWork()
    this.known.set(owner, work)
    return work
  }

  /** Like `parseRegexLiteral`. Throws `ConfigError` if all expressions together are too large. */
  parse(text: string): ReturnType<typeof parseRegexLiteral> {
    if (this.literals.has(text)) return this.literals.get(text)
    const regex = parseRegexLiteral(text, (elements) => this.spendElements(elements))
    this.literals.set(text, regex)
    return regex
  }

  /**
   * Whether the expression matches in the text. Throws `ConfigError` if the searched texts are too long in
   * total.
   */
  test(regex: RE2JS, text: string): boolean {
    const responses = this.responses.get(regex) ?? new Map<string, boolean>()
    this.responses.set(regex, responses)
    const known = responses.get(text)
    if (known !== undefined) return known
    this.steps -= regex.programSize() * text.length
    if (this.steps < 0) throw invalid('The regular expressions in rules search too much text')
    const found = regex.test(text)
    responses.set(text, found)
    return found
  }

  private spendElements(elements: number): void {
    this.elements -= elements
    if (this.elements < 0) throw invalid('The regular expressions of the configuration are too large')
  }
}
