import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  ValueListNode,
} from 'kysely'

/** Replaces `in` and `not in` with an empty list, a syntax error in PostgreSQL, by a constant. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const constant = constantOf(node)
    if (constant === undefined) super.visitBinaryOperation(node)
    else this.append(constant)
  }
}

/** The value of a condition with an empty list, also for null. Undefined for any other operation. */
function constantOf({ operator, rightOperand }: BinaryOperationNode): 'false' | 'true' | undefined {
  const isList = PrimitiveValueListNode.is(rightOperand) || ValueListNode.is(rightOperand)
  if (!isList || rightOperand.values.length > 0 || !OperatorNode.is(operator)) return undefined
  switch (operator.operator) {
    case 'in':
      return 'false'
    case 'not in':
      return 'true'
    default:
      return undefined
  }
}
