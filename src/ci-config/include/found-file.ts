import type { FileContext } from './file-context.js'

/** The text of an included file and what its own includes go by. */
export interface FoundFile {
  /** What problems call it. */
  file: string
  text: string
  context: FileContext
  /** Facts that the file may name in `$[[ component.… ]]`. */
  component?: ReadonlyMap<string, string>
}
