import { runGit } from '../../../../git/run-git.js'
import type { PushDeps } from '../push/handle-push.js'
import { type RefChanger, withChangeSlot } from './change-refs.js'
import { plainName } from './write-commit.js'

export interface TagObject {
  name: string
  sha: string
  message: string
  /** Person recorded as the tagger. */
  tagger: { name: string; email: string }
}

/** Writes the object of an annotated tag, which no ref points to yet; returns its ID. */
export async function writeTagObject(
  deps: Pick<PushDeps, 'repositories'>,
  changer: RefChanger,
  { name, sha, message, tagger }: TagObject,
): Promise<string> {
  const who = `${plainName(tagger.name) || 'unknown'} <${plainName(tagger.email) || 'unknown'}> ${Math.floor(Date.now() / 1000)} +0000`
  const input = `object ${sha}\ntype commit\ntag ${name}\ntagger ${who}\n\n${message.trimEnd()}\n`
  const args = ['--git-dir', deps.repositories.path(changer.project.id), 'mktag']
  const output = await withChangeSlot(deps, changer, () => runGit(args, { input }))
  return output.trim()
}
