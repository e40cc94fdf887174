import { isUniqueViolation } from '../../../database/unique-violation.js'
import type { ApiError } from '../../../http/errors.js'

/**
 * Another request may take a name between the check and the write; throws the result of `refusal` for the
 * error message.
 */
export async function refusingTaken<T>(
  refusal: (message: string) => ApiError,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) throw refusal('Username has already been taken')
    throw error
  }
}
