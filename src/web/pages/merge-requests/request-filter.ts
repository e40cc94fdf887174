import type { FilterTable } from '../../planned/filter-words.js'

/** The words by which merge requests are filtered. */
export const REQUEST_FILTER: FilterTable = {
  parameters: {
    label: 'labels[]',
    author: 'author_username',
    assignee: 'assignee_username[]',
    reviewer: 'reviewer_username',
    milestone: 'milestone',
    source: 'source_branch',
    target: 'target_branch',
    draft: 'wip',
    approved: 'approved_by_ids',
    reaction: 'my_reaction_emoji',
    state: 'state',
  },
  inAddresses: {
    label_name: 'label',
    'label_name[]': 'label',
    labels: 'label',
    author_username: 'author',
    assignee_username: 'assignee',
    'assignee_username[]': 'assignee',
    reviewer_username: 'reviewer',
    milestone_title: 'milestone',
    milestone: 'milestone',
    source_branch: 'source',
    target_branch: 'target',
    draft: 'draft',
    my_reaction_emoji: 'reaction',
  },
  values: {
    draft: ['yes', 'no'],
    approved: ['any', 'none'],
    state: ['opened', 'merged', 'closed', 'all'],
  },
  optional: new Set(['label', 'assignee', 'reviewer', 'milestone', 'approved', 'reaction']),
  repeated: new Set(['label', 'assignee']),
  exception: (name, value) => {
    if (name !== 'assignee' && name !== 'reviewer') return undefined
    return value === 'None' || value === 'Any' ? [`${name}_id`, value] : undefined
  },
}
