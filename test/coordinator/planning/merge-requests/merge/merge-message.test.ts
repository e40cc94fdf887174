import { expect, test } from 'vitest'

import {
  mergeMessage,
  type MessageFacts,
  squashMessage,
} from '../../../../../src/coordinator/planning/merge-requests/merge/merge-message.js'

const FACTS: MessageFacts = {
  sourceBranch: 'topic',
  targetBranch: 'main',
  title: 'Add a page',
  description: 'Two\nlines',
  reference: 'group/app!5',
  localReference: '!5',
  url: 'http://switchyard.example/group/app/-/merge_requests/5',
  issues: ['#1', '#2', 'other/app#3'],
  author: 'Ada <ada@example.com>',
  mergedBy: 'Bea <bea@example.com>',
  reviewedBy: ['Cy <cy@example.com>'],
  approvedBy: ['Cy <cy@example.com>', 'Dee <dee@example.com>'],
  coAuthors: [],
  commits: ['First\n', 'Second\n\nWith a body\n'],
}

test('the default messages name the branches, the title and the merge request', () => {
  expect(mergeMessage(null, FACTS)).toBe(
    "Merge branch 'topic' into 'main'\n\nAdd a page\n\nSee merge request group/app!5",
  )
  expect(squashMessage(null, FACTS)).toBe('Add a page')
})

test.each([
  ['%{source_branch} %{target_branch} %{local_reference} %{url}', `topic main !5 ${FACTS.url}`],
  ['%{title}\n\n%{description}', 'Add a page\n\nTwo\nlines'],
  ['%{issues}', 'Closes #1, #2, and other/app#3'],
  ['%{approved_by}', 'Approved-by: Cy <cy@example.com>\nApproved-by: Dee <dee@example.com>'],
  ['By %{merge_request_author}, %{merged_by}', 'By Ada <ada@example.com>, Bea <bea@example.com>'],
  ['%{first_commit}', 'First'],
  ['%{first_multiline_commit}', 'Second\n\nWith a body'],
  ['%{first_multiline_commit_description}', 'With a body'],
  ['%{all_commits}', '* Second\n  \n  With a body\n\n* First'],
  ['%{unknown} 100%', '%{unknown} 100%'],
])('the template %j gives %j', (template, message) => {
  expect(mergeMessage(template, FACTS)).toBe(message)
})

test('a value that looks like a placeholder is not replaced', () => {
  expect(mergeMessage('%{title}', { ...FACTS, title: '%{url} $&' })).toBe('%{url} $&')
})

test('a line of empty placeholders is left out, with one of the empty lines around it', () => {
  const template = '%{title}\n\n%{co_authored_by}\n\n%{reference}'
  expect(mergeMessage(template, FACTS)).toBe('Add a page\n\ngroup/app!5')
  expect(mergeMessage('%{title}\n%{co_authored_by}\n%{reference}', FACTS)).toBe('Add a page\ngroup/app!5')
})

test('one or two issues are joined without commas', () => {
  expect(mergeMessage('%{issues}', { ...FACTS, issues: ['#1'] })).toBe('Closes #1')
  expect(mergeMessage('%{issues}', { ...FACTS, issues: ['#1', '#2'] })).toBe('Closes #1 and #2')
})
