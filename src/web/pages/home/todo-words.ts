interface Reason {
  action_name: string
  target_type: string
  author: { name: string }
}

/** What has happened, as a sentence without its end. */
export function todoWords({ action_name: action, target_type: type, author: { name } }: Reason): string {
  const target = type === 'MergeRequest' ? 'merge request' : 'issue'
  switch (action) {
    case 'assigned':
      return `${name} assigned you`
    case 'review_requested':
      return `${name} asked you for a review`
    case 'mentioned':
      return `${name} mentioned you`
    case 'directly_addressed':
      return `${name} addressed you`
    case 'marked':
      return 'You added a to-do'
    case 'build_failed':
      return 'The pipeline failed'
    case 'unmergeable':
      return 'The merge request cannot be merged'
    case 'merge_train_removed':
      return 'The merge train removed the merge request'
    default:
      return `${name} did something about the ${target}`
  }
}

/** Values of the parameter `action` of to-dos, with their words. */
export const TODO_ACTIONS = [
  ['assigned', 'Assigned'],
  ['review_requested', 'Review requested'],
  ['mentioned', 'Mentioned'],
  ['directly_addressed', 'Addressed'],
  ['marked', 'Added by you'],
  ['build_failed', 'Pipeline failed'],
  ['unmergeable', 'Cannot be merged'],
  ['merge_train_removed', 'Removed from train'],
] as const
