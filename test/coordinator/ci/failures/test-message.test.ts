import { expect, test } from 'vitest'

import { testMessage } from '../../../../src/coordinator/ci/failures/test-message.js'

test.each([
  [
    'def test_adds():\n>   assert add(1, 2) == 4\nE   assert 3 == 4\n\na.py:3: AssertionError',
    'assert 3 == 4',
  ],
  ['=== RUN   TestAdds\n    a_test.go:10: got 3, want 4\n--- FAIL: TestAdds (0.00s)', 'got 3, want 4'],
  ['AssertionError: expected 3 to be 4\n ❯ a.test.ts:3:5', 'AssertionError: expected 3 to be 4'],
  [
    'org.junit.ComparisonFailure: expected:<4> but was:<3>\n\tat A.b',
    'org.junit.ComparisonFailure: expected:<4> but was:<3>',
  ],
  ['CalcTest::testAdds\nFailed asserting that 3 is 4.\n', 'Failed asserting that 3 is 4.'],
  ['\n  it is broken \nSystem Out:\n\nmore', 'it is broken'],
  [' \n', null],
])(
  'the message of a failed test is the line of its output that says what was wrong: %j',
  (output, message) => {
    expect(testMessage(output)).toBe(message)
  },
)
