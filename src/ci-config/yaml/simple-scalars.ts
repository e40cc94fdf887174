import { CST } from 'yaml'

import type { ConfigScalar } from './config-value.js'
import { scalarTags } from './scalar-tags.js'

/** The text is not of the simple kind; what it is, the library tells. */
export class NotSimpleError extends Error {
  override readonly name = 'NotSimpleError'
}

const NOT_SIMPLE = new NotSimpleError()

export function giveUp(): never {
  throw NOT_SIMPLE
}

/** No value of another type than text begins with another character. */
const MAY_BE_TYPED = /^[-+.~\dnNyYtToOfF]/

/** A scalar without quotes (CI language, 1.2). */
export function plainValue(source: string): ConfigScalar {
  if (!MAY_BE_TYPED.test(source)) return source
  const tag = scalarTags.find(({ test }) => test?.test(source))
  return tag ? (tag.resolve(source, giveUp, OPTIONS) as ConfigScalar) : source
}

const OPTIONS = { intAsBigInt: true }

export type QuotedType = 'single-quoted-scalar' | 'double-quoted-scalar'

type Source = Pick<CST.FlowScalar, 'type' | 'source'>

/** A scalar in quotes, or on several lines, by the rules of the library. */
export function flowScalarText({ type, source }: Source): string {
  const token: CST.FlowScalar = { type, source, offset: 0, indent: 0 }
  return CST.resolveAsScalar(token, true, giveUp).value
}

/** A scalar behind `|` or `>`; `parent` is the column of the map or list that it belongs to. */
export function blockScalarText(header: string, source: string, parent: number): string {
  const token: CST.BlockScalar = {
    ...{ type: 'block-scalar', offset: 0, indent: parent, source },
    props: [{ type: 'block-scalar-header', offset: 0, indent: parent, source: header }],
  }
  return CST.resolveAsScalar(token, true, giveUp).value
}
