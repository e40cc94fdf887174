import { CircleDashed, GitMerge, GitPullRequestArrow, GitPullRequestClosed, type IconNode } from 'lucide'

interface StateLook {
  icon: IconNode
  label: string
  tone?: 'done' | 'refused' | 'quiet'
}

const DRAFT: StateLook = { icon: CircleDashed, label: 'Draft', tone: 'quiet' }
const LOOKS: Readonly<Record<string, StateLook>> = {
  opened: { icon: GitPullRequestArrow, label: 'Open' },
  locked: { icon: GitMerge, label: 'Merging' },
  merged: { icon: GitMerge, label: 'Merged', tone: 'done' },
  closed: { icon: GitPullRequestClosed, label: 'Closed', tone: 'refused' },
}

/** How a row of a list shows the state of a merge request. */
export function requestStateLook({ state, draft }: { state: string; draft: boolean }): StateLook {
  return draft && state === 'opened' ? DRAFT : (LOOKS[state] ?? { icon: CircleDashed, label: state })
}
