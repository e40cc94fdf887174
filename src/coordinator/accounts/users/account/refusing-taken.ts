import { isUniqueViolation } from '../../../database/unique-violation.js'
import { apiError } from '../../../http/errors.js'

/**
 * Another request may take a name between the check and the write; then throws the error with this code.
 */
export async function refusingTaken<T>(
  code: 'username_taken' | 'changed_username_taken',
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) throw apiError(code)
    throw error
  }
}
