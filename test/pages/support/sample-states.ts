import { addressOf } from '../../../src/addresses/address-of.js'
import { type PageName, PAGES } from '../../../src/addresses/page-table.js'
import type { RunningDemo } from './demo.js'
import { type SampleAddress, userOf } from './sample-addresses.js'

/**
 * `forbidden`: for a user who may not use the page. `empty`: of a project or group without content. `archived`: of a
 * project that is read-only. `failed`: the server fails to send what the page reads.
 */
type State = 'forbidden' | 'empty' | 'archived' | 'failed'

/** A page in a state. */
export interface PageState {
  page: PageName
  state: State
}

/** The pages that are looked at in each state. */
const SHOWN: Record<State, RegExp> = {
  forbidden:
    /^(settings\/|groups\/(?!new|pipelines)|runners\/|(pipelines|releases|schedules|merge-requests)\/new$|issues\/new-epic|releases\/edit|code\/(edit|new-file)|editor\/lint|jobs\/terminal|admin\/overview)/,
  empty:
    /^(settings\/(?!hook$|integration$)|groups\/(?!new|hook$|runner$)|(pipelines|jobs|tests|environments|schedules|releases|runners|issues|merge-requests)\/list|(issues|merge-requests)\/(of-group|new$)|issues\/(boards|group-boards|epics)$|pipelines\/(charts|latest|new)|wikis\/(group-)?page|snippets\/list|code\/(tree|commits|branches|tags)|editor\/edit|projects\/(forks|activity)|overview)/,
  archived:
    /^(settings\/(?!hook$|integration$)|(pipelines|schedules|releases|runners|issues|merge-requests)\/list|(issues|merge-requests)\/new$|issues\/boards$|wikis\/page|snippets\/list|code\/(tree|branches|tags|new-file)|overview)/,
  failed:
    /^((settings|groups|account|admin)\/|(home|home\/todos|search|projects\/topics|overview|pipelines\/pipeline|jobs\/(job|terminal)|code\/tree|releases\/list|issues\/(list|issue|of-group|own|board|group-board|epics?|milestone)|merge-requests\/(list|merge-request|changes|of-group|own)|wikis\/(page|view)|snippets\/(list|snippet))$)/,
}

export const PAGE_STATES: readonly PageState[] = (Object.keys(SHOWN) as State[]).flatMap((state) =>
  (Object.keys(PAGES) as PageName[])
    .filter((page) => SHOWN[state].test(page))
    .map((page) => ({ page, state })),
)

/** Everything that a page reads, but neither its stream nor what the user may do. */
export const READS = /\/api\/v4\/(?!live\b|.*\/abilities$)/

/** A reporter in the group of the sample pages. */
const REPORTER = 'noah'

const GROUP = 'void'
const EMPTY = `${GROUP}/empty`
const ARCHIVED = `${GROUP}/archived`

/** Creates what the demo does not have: a group with an empty project and an archived one. */
export async function createEmptyPlaces({ post }: RunningDemo): Promise<void> {
  const { id: namespace } = await post<{ id: number }>('/groups', { name: 'Void', path: GROUP })
  for (const path of [EMPTY, ARCHIVED]) {
    const { id } = await post<{ id: number }>('/projects', {
      path: path.slice(GROUP.length + 1),
      namespace_id: namespace,
      initialize_with_readme: path === ARCHIVED,
    })
    if (path === ARCHIVED) await post(`/projects/${id}/archive`)
  }
}

/** Where a page is in a state; `sample` is its usual address. */
export function addressIn(
  demo: RunningDemo,
  { page, state }: PageState,
  sample: SampleAddress,
): SampleAddress {
  if (state === 'failed') return sample
  if (state === 'forbidden') return { ...sample, as: userOf(demo, REPORTER) }
  const project = state === 'empty' ? EMPTY : ARCHIVED
  const params = { project, path: project, group: GROUP, ref_path: 'main', ref: 'main', slug: '' }
  // The pages of these states have no further parameters.
  return { ...sample, address: addressOf(page, params as never) }
}
