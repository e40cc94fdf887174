import type { NoteRow } from '../../hosting/note-store.js'
import { apiError } from '../../http/errors.js'
import { type ApiResponse, respond } from '../../http/operation.js'
import { type Command, type CommandResult, readCommands } from '../commands.js'
import type { NoteableFinder } from './find-noteable.js'
import { type NoteDeps, oneNote } from './present-note.js'

interface Comment {
  body: string
}

/**
 * Adds a comment and applies its quick actions. Returns 201 with the note, or 202 without one if the text has nothing
 * but quick actions. Throws 400 if none of those can be applied.
 */
export async function commentWithCommands<C extends Comment>(
  deps: NoteDeps,
  finder: NoteableFinder,
  comment: C,
  {
    add,
    run,
  }: {
    add: (comment: C) => Promise<NoteRow>
    run: (commands: readonly Command[]) => Promise<CommandResult>
  },
): Promise<ApiResponse> {
  const { text, commands } = readCommands(comment.body)
  if (commands.length > 0 && text === '') {
    await finder.find(deps.database)
    const { changes, summary } = await run(commands)
    if (summary.length === 0) throw apiError('commands_failed')
    return respond(202, { commands_changes: changes, summary })
  }
  const row = await add({ ...comment, body: text })
  const { changes } = commands.length === 0 ? { changes: {} } : await run(commands)
  const note = await oneNote(deps, await finder.find(deps.database), row)
  return respond(201, { ...note, commands_changes: changes })
}
