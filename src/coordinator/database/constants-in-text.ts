import {
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  ValueListNode,
  ValueNode,
} from 'kysely'

/**
 * Writes constants into the text of a statement instead of passing them as parameters. SQLite plans a statement again
 * each time a value is bound to a parameter that decides whether a partial index may be used; that takes longer than
 * most statements. PostgreSQL cannot keep a plan with such an index.
 */
export class ConstantsInText implements KyselyPlugin {
  private readonly transformer = new ConstantTransformer()

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformer.transformNode(node)
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

class ConstantTransformer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return isConstant(node.value) ? ValueNode.createImmediate(node.value) : node
  }

  protected override transformNodeImpl<Node extends OperationNode>(node: Node): Node {
    if (!isPrimitiveList(node)) return super.transformNodeImpl(node)
    const values = node.values.map((value) =>
      isConstant(value) ? ValueNode.createImmediate(value) : ValueNode.create(value),
    )
    return ValueListNode.create(values) as OperationNode as Node // a list of values stands wherever one of primitives does
  }
}

function isPrimitiveList(node: OperationNode): node is PrimitiveValueListNode {
  return node.kind === 'PrimitiveValueListNode'
}

function isConstant(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
