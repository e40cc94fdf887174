import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  ValueListNode,
} from 'kysely'

/** Compiles queries for PostgreSQL, which refuses the empty list of a condition with `in` or `not in`. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const ofNone = conditionOfNone(node)
    if (ofNone === undefined) super.visitBinaryOperation(node)
    else this.append(ofNone)
  }
}

/** What the condition is for every value, null included, if it asks for one of an empty list. */
function conditionOfNone({ operator, rightOperand }: BinaryOperationNode): 'false' | 'true' | undefined {
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
