import type { Expression } from '../expressions/expression.js'
import type { ConfigList, ConfigValue } from '../yaml/config-value.js'

/** The declaration of one input of a file (CI language, 5.2). */
export interface InputSpec extends InputChoice {
  name: string
  /** As in the file; an unknown type is reported when values are set. */
  type: string
  description?: string
  regex?: string
  /** The first rule that matches, or has no condition, defines default and options. */
  rules?: InputRule[]
}

export interface InputChoice {
  /** Absent = a value is required. */
  default?: ConfigValue
  options?: ConfigList
}

export interface InputRule extends InputChoice {
  if?: Expression
}
