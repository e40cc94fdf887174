import { SaxesParser, type SaxesTagPlain } from 'saxes'

import type { TestCase } from '../../../storage/artifacts/test-reports.js'
import { CaseUnderWay } from './case-under-way.js'
import { JunitError } from './junit-error.js'
import { junitLimits } from './junit-limits.js'

/**
 * Reads the cases of one JUnit document piece by piece: those of every `testsuite`, however deep it lies (CI language,
 * 17.2). Entities that a document declares are not expanded but refused, as is whatever is no XML.
 */
export class JunitParser {
  private readonly parser = new SaxesParser()
  private readonly elements: string[] = []
  private suites = 0
  private isOver = false
  /** Characters given since the last event. */
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
   * The cases that ended within this piece; `rest` is what follows the end of the document, undefined while it goes on.
   * Throws `JunitError`.
   */
  write(text: string): { cases: TestCase[]; rest: string | undefined } {
    const rest = this.feed(text)
    const cases = this.found
    this.found = []
    return { cases, rest }
  }

  /** Whether an element has begun; before it there may be comments, also after the last document. */
  get hasBegun(): boolean {
    return this.elements.length > 0
  }

  /** To be called when there is no more text although the document goes on. Throws `JunitError`. */
  close(): void {
    this.parser.close()
  }

  /** Tag by tag: what follows the last one is another document. */
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
