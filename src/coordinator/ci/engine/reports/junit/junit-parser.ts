import { SaxesParser, type SaxesTagPlain } from 'saxes'

import type { TestCase } from '../../../storage/artifacts/test-reports.js'
import { CaseUnderWay } from './case-under-way.js'
import { JunitError } from './junit-error.js'
import { junitLimits } from './junit-limits.js'

/**
 * Parses the cases of one JUnit document in chunks, from `testsuite` elements at any depth (CI language,
 * 17.2). Refuses invalid XML, and declared entities instead of expanding them.
 */
export class JunitParser {
  private readonly parser = new SaxesParser()
  private readonly elements: string[] = []
  private suites = 0
  private isOver = false
  /** Characters read since the last event. */
  private sinceEvent = 0
  private current: { case: CaseUnderWay; depth: number } | undefined
  private found: TestCase[] = []

  constructor() {
    this.parser.on('opentag', (tag) => this.onOpen(tag))
    this.parser.on('closetag', () => this.onClose())
    this.parser.on('text', (text) => this.onText(text))
    this.parser.on('cdata', (text) => this.onText(text))
    this.parser.on('error', (error) => {
      throw new JunitError(`JUnit XML parsing failed: ${error.message}`)
    })
  }

  /**
   * Returns the cases that ended in this chunk. `rest` is the text after the end of the document, undefined
   * until then. Throws `JunitError`.
   */
  write(text: string): { cases: TestCase[]; rest: string | undefined } {
    const rest = this.feed(text)
    const cases = this.found
    this.found = []
    return { cases, rest }
  }

  /** Whether an element has started. Comments may come before it, also after the last document. */
  get hasBegun(): boolean {
    return this.elements.length > 0
  }

  /** Call it when the text ends before the document does. Throws `JunitError`. */
  close(): void {
    this.parser.close()
  }

  /** Feeds tag by tag, because the text after the last one is another document. */
  private feed(text: string): string | undefined {
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('>', start) + 1 || text.length
      this.sinceEvent += end - start
      if (this.sinceEvent > junitLimits.charactersAtOnce) throw tooLarge('an element')
      this.parser.write(text.slice(start, end))
      start = end
      if (this.isOver) return text.slice(start)
    }
    return undefined
  }

  private onOpen({ name, attributes }: SaxesTagPlain): void {
    this.sinceEvent = 0
    this.elements.push(name)
    if (this.elements.length > junitLimits.depth) throw tooLarge('the depth of the elements')
    if (name === 'testsuite') this.suites++
    const { current } = this
    if (current && this.elements.length === current.depth + 1) current.case.begin(name, attributes)
    else if (!current && name === 'testcase' && this.suites > 0) {
      this.current = { case: new CaseUnderWay(attributes), depth: this.elements.length }
    }
  }

  private onClose(): void {
    this.sinceEvent = 0
    const { current } = this
    const depth = this.elements.length
    if (this.elements.pop() === 'testsuite') this.suites--
    if (current && depth === current.depth + 1) current.case.end()
    if (current && depth === current.depth) {
      this.found.push(current.case.result())
      this.current = undefined
    }
    this.isOver = depth === 1
  }

  private onText(text: string): void {
    this.sinceEvent = 0
    this.current?.case.add(text)
  }
}

function tooLarge(what: string): JunitError {
  return new JunitError(`JUnit XML parsing failed: ${what} exceeds the limit`)
}
