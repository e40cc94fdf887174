import { VERSION } from '../../lib/version.js'

/**
 * The version of the API, by which clients choose their behavior (API, A11). Token rotation (16.0), runners
 * created with a token (16.0) and described variables (16.2) are supported; features of 17.0 and later, such
 * as hidden variables, are not.
 */
export const API_VERSION = '16.11.0'

/** The software version, reported beside the version of the API. */
export const REVISION = `switchyard-${VERSION}`
