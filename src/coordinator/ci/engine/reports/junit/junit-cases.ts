import type { SaxesTagPlain } from 'saxes'

import type { TestCase } from '../../../storage/artifacts/test-reports.js'
import type { XmlHandler } from '../xml-documents.js'
import { CaseUnderWay } from './case-under-way.js'

/** Finds the cases of one JUnit document, from `testsuite` elements at any depth (CI language, 17.2). */
export class JunitCases implements XmlHandler {
  private suites = 0
  private current: { case: CaseUnderWay; depth: number } | undefined
  private found: TestCase[] = []

  /** The cases that have ended since the last call. */
  take(): TestCase[] {
    const cases = this.found
    this.found = []
    return cases
  }

  open({ name, attributes }: SaxesTagPlain, depth: number): void {
    if (name === 'testsuite') this.suites++
    const { current } = this
    if (current && depth === current.depth + 1) current.case.begin(name, attributes)
    else if (!current && name === 'testcase' && this.suites > 0) {
      this.current = { case: new CaseUnderWay(attributes), depth }
    }
  }

  close(name: string, depth: number): void {
    const { current } = this
    if (name === 'testsuite') this.suites--
    if (current && depth === current.depth + 1) current.case.end()
    if (current && depth === current.depth) {
      this.found.push(current.case.result())
      this.current = undefined
    }
  }

  text(text: string): void {
    this.current?.case.add(text)
  }

  cdata(text: string): void {
    this.text(text)
  }
}
