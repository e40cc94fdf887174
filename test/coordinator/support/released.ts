/** The last migration of the latest release. A release sets it to its own last one, and empties `SECOND_STEPS`. */
export const RELEASED = '0184-commit-lists'
