/**
 * The address of servers under test. `SWITCHYARD_TEST_HOST` names another one of this machine if what calls them runs
 * elsewhere, such as in the pods of a cluster.
 */
export const SERVER_HOST = process.env['SWITCHYARD_TEST_HOST'] ?? '127.0.0.1'
