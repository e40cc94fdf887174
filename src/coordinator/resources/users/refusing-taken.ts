import { isUniqueViolation } from '../../database/unique-violation.js'
import { conflict } from '../../http/errors.js'

/** Somebody else may take a name between the question whether it is free and the answer: 409 as well. */
export async function refusingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict('Username has already been taken')
    throw error
  }
}
