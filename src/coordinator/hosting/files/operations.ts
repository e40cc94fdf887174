import { Type } from 'typebox'

import type { BlobStore } from '../../ci/storage/blob-store.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { changerOf } from '../repositories/change/change-refs.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { readingFor } from '../repositories/reading-for.js'
import { blameResponse } from './blame-response.js'
import { requireFile } from './find-file.js'
import { fileResponse, headResponse, rawResponse } from './read-file.js'
import { lfsResponse } from './read-lfs.js'
import {
  BlameRange,
  CreateFile,
  DeleteFile,
  FileRecord,
  FileWritten,
  GetBlame,
  GetFile,
  GetRaw,
  UpdateFile,
} from './schema.js'
import { deleteFile, writeFile } from './write-file.js'

export interface FileDeps {
  pushes: PushDeps
  blobs: BlobStore
  /** Maximum request size, in bytes. */
  maxCommitBytes: number
}

/** Single files of a project (API, E4). */
export function fileOperations({ pushes, blobs, maxCommitBytes }: FileDeps): Operation[] {
  return [...reading(pushes, blobs), ...writing(pushes, maxCommitBytes)]
}

function reading(pushes: PushDeps, blobs: BlobStore): Operation[] {
  return [
    operation('GET /projects/:id/repository/files/:file_path', {
      summary: 'Get a file; HEAD responds with headers only',
      access: 'read_code',
      scopes: ['read_repository'],
      params: GetFile,
      responses: { 200: FileRecord },
      run: async ({ project, params, request, reply }) => {
        const reading = readingFor(pushes, { project, reply })
        const facts = await requireFile(pushes, project, reading, params)
        return request.method === 'HEAD' ? headResponse(facts) : fileResponse(reading, facts)
      },
    }),
    operation('GET /projects/:id/repository/files/:file_path/raw', {
      summary: 'Get the raw content of a file; HEAD responds with headers only',
      access: 'read_code',
      scopes: ['mcp', 'read_repository'],
      jobToken: true,
      params: GetRaw,
      responses: { 200: Type.Unknown({ description: 'Content of the file' }) },
      run: async ({ project, params, request, reply }) => {
        const reading = readingFor(pushes, { project, reply })
        const facts = await requireFile(pushes, project, reading, params)
        const isHead = request.method === 'HEAD'
        const { database } = pushes
        const large = params.lfs
          ? await lfsResponse({ database, blobs }, project, reading, facts, isHead)
          : undefined
        return large ?? rawResponse(reading, facts, isHead)
      },
    }),
    operation('GET /projects/:id/repository/files/:file_path/blame', {
      summary: 'Get the blame of a file; HEAD responds with headers only',
      access: 'read_code',
      scopes: ['read_repository'],
      params: GetBlame,
      responses: { 200: Type.Array(BlameRange) },
      run: async ({ project, params, request, reply }) => {
        const reading = readingFor(pushes, { project, reply })
        const facts = await requireFile(pushes, project, reading, params)
        if (request.method === 'HEAD') return headResponse(facts)
        return blameResponse(reading, facts, params.range)
      },
    }),
  ]
}

function writing(pushes: PushDeps, maxBodyBytes: number): Operation[] {
  return [
    operation('POST /projects/:id/repository/files/:file_path', {
      summary: 'Create a file',
      access: 'push_code',
      maxBodyBytes,
      params: CreateFile,
      responses: { 201: FileWritten },
      run: (call) => {
        const reading = readingFor(pushes, call)
        return writeFile(pushes, changerOf(call), reading, { action: 'create', params: call.params })
      },
    }),
    operation('PUT /projects/:id/repository/files/:file_path', {
      summary: 'Update a file',
      access: 'push_code',
      maxBodyBytes,
      params: UpdateFile,
      responses: { 200: FileWritten },
      run: (call) => {
        const reading = readingFor(pushes, call)
        return writeFile(pushes, changerOf(call), reading, { action: 'update', params: call.params })
      },
    }),
    operation('DELETE /projects/:id/repository/files/:file_path', {
      summary: 'Delete a file',
      access: 'push_code',
      params: DeleteFile,
      responses: { 204: NoBody },
      run: async (call) => {
        await deleteFile(pushes, changerOf(call), readingFor(pushes, call), call.params)
        return respond(204)
      },
    }),
  ]
}
