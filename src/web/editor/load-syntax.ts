import { indentService } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

import { indentBelowKey } from './indentation.js'

/**
 * Loads what the editor knows of the syntax of a file, for indentation and folding. Undefined for files that are indented
 * as the line before.
 */
export function loadSyntax(path: string): Promise<Extension> | undefined {
  if (!/\.ya?ml$/i.test(path)) return undefined
  return import('@codemirror/lang-yaml').then(({ yaml }) => [
    indentService.of((context, position) => {
      const { text } = context.lineAt(position, -1)
      return indentBelowKey(text, context.unit)
    }),
    yaml(),
  ])
}
