import type { ApiErrorEntries } from './entry.js'

/** Errors of every operation: form, size and number of requests, and failures of the server. */
export const REQUESTS = {
  invalid_parameters: {
    status: 400,
    key: 'error',
    message: '<problem>',
    remedy:
      'Correct the parameters that the message names. The OpenAPI document lists those of each operation.',
  },
  invalid_record: {
    status: 400,
    message: '<problems by field>',
    remedy: 'Correct the fields that are the keys of `message`; `base` stands for the whole record.',
  },
  malformed_body: {
    status: 400,
    key: 'error',
    message: 'message body does not match declared format',
    remedy: 'Send a body that is complete and valid for its `Content-Type`.',
  },
  malformed_request: {
    status: 400,
    key: 'error',
    message: '<problem>',
    remedy: 'Correct the header or the body that the message names.',
  },
  incomplete_body: {
    status: 400,
    message: '400 Bad request - The connection was closed before the end of the request body',
    remedy: 'Send the request again. If it fails again, look for a proxy that limits the time of uploads.',
  },
  path_not_decodable: {
    status: 400,
    message: '400 Bad request - the path is not encoded as it should be',
    remedy: 'Encode each part of the path: `%` as `%25`, `/` inside a part as `%2F`.',
  },
  nul_in_url: {
    status: 400,
    message: '400 Bad request - the URL contains a NUL character',
    remedy: 'Remove `%00` from the URL.',
  },
  path_not_found: {
    status: 404,
    key: 'error',
    message: '404 Not Found',
    remedy: 'Check the path. Paths of the API begin with `/api/v4/`.',
  },
  not_found: {
    status: 404,
    message: '404 <thing> Not Found',
    remedy: 'Check ID and path, and that the user of the token may see the object.',
  },
  record_not_found: {
    status: 404,
    message: '404 Not found',
    remedy: 'Check the IDs in the path, and that the user of the token may see the object.',
  },
  method_not_allowed: {
    status: 405,
    key: 'error',
    message: '405 Not Allowed',
    remedy: 'Use a method of the header `Allow`.',
  },
  moved_permanently: {
    status: 301,
    message: 'This resource has been moved permanently to <location>.',
    remedy: 'Follow the header `Location`, and use the new path from now on.',
  },
  moved_method_not_allowed: {
    status: 405,
    message: 'Non GET methods are not allowed for moved <resource>',
    remedy: 'Send the request to the new path, which a GET request responds with.',
  },
  keyset_not_available: {
    status: 405,
    key: 'error',
    message: 'Keyset pagination is not yet available for this type of request',
    remedy: 'Order by `id`, or leave out `pagination=keyset`.',
  },
  offset_too_large: {
    status: 405,
    key: 'error',
    message:
      'Offset pagination has a maximum allowed offset of <max> for requests that return objects of type <type>. Remaining records can be retrieved using keyset pagination.',
    remedy: 'Send `pagination=keyset` and follow the header `Link`.',
  },
  request_timeout: {
    status: 408,
    message: '408 Request Timeout',
    remedy: 'Send the body faster. The connection was closed.',
  },
  reference_deleted: {
    status: 409,
    message: '409 Conflict: a record that this refers to was deleted in the meantime',
    remedy: 'Read the object again, and repeat the request if it still applies.',
  },
  precondition_failed: {
    status: 412,
    message: '412 Precondition Failed',
    remedy: 'The object has changed since `If-Unmodified-Since`, or while it was deleted. Read it again.',
  },
  body_too_large: {
    status: 413,
    message: '413 Request Entity Too Large',
    remedy: 'Send less, or ask an administrator to raise the limit of such files.',
  },
  anonymous_body_too_large: {
    status: 413,
    message:
      '413 Request Entity Too Large - without credentials in the headers or the query a body has at most <max> bytes',
    remedy: 'Send the token in a header, such as `PRIVATE-TOKEN`, and not in the body.',
  },
  uri_too_long: {
    status: 414,
    key: 'error',
    message: '414 Request-URI Too Long',
    remedy: 'Send long parameters in the body of a POST or PUT request.',
  },
  unsupported_media_type: {
    status: 415,
    key: 'error',
    message: "The provided content-type '<type>' is not supported.",
    remedy: 'Send `application/json`, `application/x-www-form-urlencoded` or `multipart/form-data`.',
  },
  range_not_satisfiable: {
    status: 416,
    key: 'error',
    message: '416 Range Not Satisfiable',
    remedy: 'Ask for bytes below the size that the header `Content-Range` or `Range` names.',
  },
  limit_reached: {
    status: 400,
    message: 'Maximum number of <what> (<max>) exceeded',
    remedy: 'Delete one that is not needed, or ask an administrator to raise the limit of the plan.',
  },
  too_many_requests: {
    status: 429,
    message: 'Retry later',
    remedy: 'Wait for the seconds of `Retry-After`. `RateLimit-Name` names the limit.',
  },
  operation_rate_limit: {
    status: 429,
    message: 'This <what> has been requested too many times. Try again later.',
    remedy: 'Wait for the seconds of `Retry-After`, and call this operation less often.',
  },
  too_many_open_requests: {
    status: 429,
    message: '429 Too Many Requests - at most <max> <what> are allowed',
    remedy: 'Close open requests of this kind, such as pages in other tabs of the browser.',
  },
  client_closed_request: {
    status: 499,
    message: '499 Client Closed Request',
    remedy: 'Nothing: the client ended the request, and only the log of the coordinator has this status.',
  },
  internal_error: {
    status: 500,
    message: '500 Internal Server Error',
    remedy: 'Give `X-Request-Id` to an administrator, who finds the cause in the log of the coordinator.',
  },
  stored_data_damaged: {
    status: 500,
    message: '500 Internal Server Error - <damage>',
    remedy: 'Ask an administrator to restore what the message names from a backup.',
  },
  bucket_unusable: {
    status: 500,
    message:
      '500 Internal Server Error - The bucket for files cannot be used<reason>. If this stays, ask an administrator: the log of the coordinator says what to do',
    remedy: 'An administrator corrects the settings of the bucket, as the log of the coordinator says.',
  },
  service_unavailable: {
    status: 503,
    message: '503 Service Unavailable',
    remedy:
      'Try again after some seconds, or those of `Retry-After`: the service starts, stops or is too busy, or its database does not respond.',
  },
  database_locked: {
    status: 503,
    message:
      '503 Service Unavailable - Another process has locked the database of the coordinator. Try again in some seconds',
    remedy: 'Try again. If it stays, end the program that has the SQLite file open.',
  },
  bucket_unavailable: {
    status: 503,
    message:
      '503 Service Unavailable - The bucket for files does not respond<reason>. If this stays, ask an administrator: the log of the coordinator says what to do',
    remedy: 'Try again later. An administrator checks the network and the service of the bucket.',
  },
  disk_full: {
    status: 507,
    message:
      '507 Insufficient Storage - The disk of the coordinator is full, and the request was not completed. Try again when an administrator has freed space',
    remedy: 'An administrator frees space, for example by shorter expiry of artifacts.',
  },
} as const satisfies ApiErrorEntries
