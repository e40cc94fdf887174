import { SwitchyardError } from '../../lib/errors.js'

/** Why a group or project could not be imported, for the user who imports. The other ones of the import are made. */
export class BulkImportError extends SwitchyardError {
  readonly name: string = 'BulkImportError'
  readonly code: string = 'BULK_IMPORT_FAILED'
}

/** Ends the whole import: the source refuses the token, or the user has lost the right to import. */
export class ImportEndedError extends BulkImportError {
  override readonly name = 'ImportEndedError'
  override readonly code = 'BULK_IMPORT_ENDED'
}

/** The source does not serve a request: it is too old for it, or the token may not make it. */
export class UnavailableError extends BulkImportError {
  override readonly name = 'UnavailableError'
  override readonly code = 'BULK_IMPORT_UNAVAILABLE'
}

/** One record of the source has another shape than expected. The others are imported. */
export class SourceRecordError extends BulkImportError {
  override readonly name = 'SourceRecordError'
  override readonly code = 'BULK_IMPORT_RECORD'
}

/** The import was canceled or deleted, or another worker has it. */
export class ImportGoneError extends SwitchyardError {
  readonly name = 'ImportGoneError'
  readonly code = 'BULK_IMPORT_GONE'

  constructor() {
    super('The import was canceled')
  }
}
