import ts from 'typescript';

/** What makes a text safe between quotes. */
const quoting = `replaceAll("'", "''")`;
/** What runs a statement, by name; its first argument is the statement's text. */
const runners = new Set(['query', 'copyFrom', 'copyTo', 'raw', 'runAndReadAll', 'run', 'stream']);

type Origins = readonly (ts.Node | undefined)[] | null;

/**
 * The parts of query texts that are not written in the program. It follows every text backwards from where it is run:
 * through names, functions and their callers, properties and what is put into them. Texts that end in anything but
 * literals and numbers are found, as `file: expression`.
 */
export function foreignParts(program: ts.Program, isOurs: (file: string) => boolean): string[] {
  const checker = program.getTypeChecker();
  const files = program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && isOurs(fileName));
  // By name: a call or assignment is resolved only if a text leads there.
  const calls = new Map<string, (ts.CallExpression | ts.NewExpression)[]>();
  const values = new Map<string, ts.Node[]>();
  const texts: ts.Expression[] = [];
  const found = new Set<string>();
  /** Every node that was followed, with the one that led to it; null for the text of a query itself. */
  const ledTo = new Map<ts.Node, ts.Node | null>();
  for (const file of files) visit(file);
  for (const text of texts) follow(text, null);
  return [...found].sort();

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) {
      const name = calleeOf(node).getText();
      add(calls, name, node);
      if (runners.has(name) && node.arguments[0] && isText(node.arguments[0])) texts.push(node.arguments[0]);
    }
    if (ts.isObjectLiteralElementLike(node) && node.name) add(values, node.name.getText(), node);
    if (ts.isNewExpression(node)) add(calls, node.expression.getText(), node);
    if (isAssignment(node)) add(values, nameOf(node.left), node);
    ts.forEachChild(node, visit);
  }

  /** Calls of a function, also by the name of the property or variable that holds it. */
  function callsOf(owner: ts.SignatureDeclaration): (ts.CallExpression | ts.NewExpression)[] {
    const named = ts.isConstructorDeclaration(owner)
      ? owner.parent.name
      : (owner.name ??
        (ts.isVariableDeclaration(owner.parent) || ts.isPropertyAssignment(owner.parent)
          ? owner.parent.name
          : undefined));
    if (!named) return [];
    return (calls.get(named.getText()) ?? []).filter((call) => declarationOf(call) === owner || holds(call, owner));
  }

  function declarationOf(call: ts.CallExpression | ts.NewExpression): ts.Node | undefined {
    return checker.getResolvedSignature(call)?.declaration;
  }

  /** Whether a call names a property that a type declares and an object of this function fills. */
  function holds(call: ts.CallExpression | ts.NewExpression, owner: ts.SignatureDeclaration): boolean {
    const property = ts.isPropertyAssignment(owner.parent) ? owner.parent : owner;
    if (!ts.isObjectLiteralElementLike(property)) return false;
    const declared = checker.getSymbolAtLocation(calleeOf(call))?.declarations ?? [];
    return declared.some((declaration) => declaration === property || fills(property, declaration));
  }

  /** Values assigned to a declared property or variable. */
  function valuesOf(declaration: ts.Declaration): ts.Node[] {
    const name = (declaration as ts.NamedDeclaration).name?.getText() ?? '';
    return (values.get(name) ?? []).flatMap((node): ts.Node[] => {
      if (ts.isBinaryExpression(node)) {
        return checker.getSymbolAtLocation(node.left)?.declarations?.includes(declaration) ? [node.right] : [];
      }
      if (!fills(node as ts.ObjectLiteralElementLike, declaration)) return [];
      if (ts.isMethodDeclaration(node)) return [node];
      return [ts.isPropertyAssignment(node) ? node.initializer : (node as ts.ShorthandPropertyAssignment).name];
    });
  }

  function fills(property: ts.ObjectLiteralElementLike, declaration: ts.Declaration): boolean {
    if (!ts.isObjectLiteralExpression(property.parent) || !property.name) return false;
    const type = checker.getContextualType(property.parent);
    const symbol = type && checker.getPropertyOfType(checker.getNonNullableType(type), property.name.getText());
    return symbol?.declarations?.includes(declaration) ?? false;
  }

  function isText(node: ts.Node): boolean {
    return (checker.getTypeAtLocation(node).flags & ts.TypeFlags.StringLike) !== 0;
  }

  /** Numbers, and texts from a closed list of literals. */
  function isClosed(node: ts.Node): boolean {
    const type = checker.getTypeAtLocation(node);
    if (type.symbol?.name === 'TemplateStringsArray') return true;
    const open =
      ts.TypeFlags.String | ts.TypeFlags.Object | ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter;
    return (type.isUnion() ? type.types : [type]).every(({ flags }) => (flags & open) === 0);
  }

  function follow(node: ts.Node, from: ts.Node | null): void {
    if (ledTo.has(node)) return;
    ledTo.set(node, from);
    const origins = originsOf(node);
    if (origins === null) found.add(`${whereIs(node)} in ${whereIs(queryOf(node))}`);
    else for (const origin of origins) if (origin) follow(origin, node);
  }

  function queryOf(node: ts.Node): ts.Node {
    const from = ledTo.get(node);
    return from ? queryOf(from) : node;
  }

  /** Origins of a text: none if the program contains it, null if it comes from elsewhere. */
  function originsOf(node: ts.Node): Origins {
    if (ts.isExpression(node) && isClosed(node)) return [];
    if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
    if (ts.isTaggedTemplateExpression(node) || ts.isRegularExpressionLiteral(node)) return [];
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
    if (ts.isBinaryExpression(node)) return [node.left, node.right];
    if (ts.isArrayLiteralExpression(node)) return node.elements;
    if (ts.isObjectLiteralExpression(node)) return node.properties;
    if (isWrapped(node) || ts.isElementAccessExpression(node)) return [node.expression];
    if (ts.isCallExpression(node)) return originsOfCall(node);
    if (ts.isNewExpression(node)) return node.arguments ?? [];
    if (ts.isIdentifier(node)) return originsOfName(node);
    if (ts.isPropertyAccessExpression(node)) return originsOfProperty(node);
    if (ts.isParameter(node)) return originsOfParameter(node);
    if (ts.isBindingElement(node)) return originsOfBinding(node);
    if (ts.isFunctionLike(node)) return returnsOf(node);
    if (ts.isSourceFile(node)) return [];
    if (ts.isShorthandPropertyAssignment(node)) return [node.name];
    const initializer = ts.isVariableDeclaration(node)
      ? (node.initializer ?? loopedOver(node))
      : ts.isPropertyAssignment(node)
        ? node.initializer
        : undefined;
    const values = [...(initializer ? [initializer] : []), ...valuesOf(node as ts.Declaration)];
    return values.length > 0 ? values : null;
  }

  function originsOfCall(call: ts.CallExpression): Origins {
    const name = calleeOf(call).getText();
    if (call.getText().endsWith(quoting)) return [];
    // The program's own files.
    if (name === 'readFileSync') return [];
    // Names of tables and columns from the server's catalogue.
    if (runners.has(name) || name === 'rowsOf') return /\bpg_\w+/.test(call.getText()) ? [] : null;
    const declaration = declarationOf(call);
    const callee = ts.isPropertyAccessExpression(call.expression) ? call.expression.expression : call.expression;
    if (declaration && isOurs(declaration.getSourceFile().fileName) && ts.isFunctionLike(declaration)) {
      const holder = ts.isPropertySignature(declaration.parent) ? declaration.parent : declaration;
      const bodies = [...returnsOf(declaration), ...valuesOf(holder)];
      // A function without declaration was returned by another one: its result may contain both.
      return bodies.length > 0 ? bodies : [callee, ...call.arguments];
    }
    // A built-in function: its result is made of its arguments.
    return callee === call.expression ? call.arguments : [callee, ...call.arguments];
  }

  function originsOfName(node: ts.Identifier): Origins {
    const named = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
    const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
    // Of the language itself, `Object` for instance.
    return symbol?.declarations?.filter((declaration) => isOurs(declaration.getSourceFile().fileName)) ?? null;
  }

  /** Values assigned to a property, or the origins of the object if there is no assignment. */
  function originsOfProperty(node: ts.PropertyAccessExpression): Origins {
    const known = checker.getSymbolAtLocation(node.name)?.declarations?.filter(isKnown) ?? [];
    return known.length > 0 ? known : [node.expression];
  }

  function isKnown(declaration: ts.Declaration): boolean {
    if (!isOurs(declaration.getSourceFile().fileName)) return false;
    const isOfType = ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration);
    return !isOfType || valuesOf(declaration).length > 0;
  }

  function originsOfParameter(parameter: ts.ParameterDeclaration): Origins {
    const owner = parameter.parent;
    const index = owner.parameters.indexOf(parameter);
    const given = callsOf(owner).flatMap(({ arguments: all = [] }) =>
      parameter.dotDotDotToken ? all.slice(index) : all.slice(index, index + 1),
    );
    if (given.length > 0) return [parameter.initializer, ...given];
    // Passed to a built-in function such as `map`, which calls it with its own elements.
    const { parent } = owner;
    const isHandedOn = ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression);
    return isHandedOn ? [(parent.expression as ts.PropertyAccessExpression).expression] : null;
  }

  /** `{ name }` of a parameter or variable: the property of its type, or all of the value. */
  function originsOfBinding(element: ts.BindingElement): Origins {
    const name = (element.propertyName ?? element.name).getText();
    const property = checker.getPropertyOfType(checker.getTypeAtLocation(element.parent), name);
    const known = ts.isObjectBindingPattern(element.parent) ? (property?.declarations?.filter(isKnown) ?? []) : [];
    return [element.initializer, ...(known.length > 0 ? known : [element.parent.parent])];
  }

  function loopedOver(declaration: ts.VariableDeclaration): ts.Expression | undefined {
    const loop = declaration.parent.parent;
    return ts.isForOfStatement(loop) || ts.isForInStatement(loop) ? loop.expression : undefined;
  }
}

/** Values that a function returns; none if it has no body. */
function returnsOf(declaration: ts.SignatureDeclaration): ts.Expression[] {
  const body = 'body' in declaration ? (declaration.body as ts.ConciseBody | undefined) : undefined;
  if (!body) return [];
  if (!ts.isBlock(body)) return [body];
  const returned: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) returned.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return returned;
}

function calleeOf({ expression }: ts.CallExpression | ts.NewExpression): ts.Expression | ts.MemberName {
  return ts.isPropertyAccessExpression(expression) ? expression.name : expression;
}

function nameOf(node: ts.Expression): string {
  return ts.isPropertyAccessExpression(node) ? node.name.getText() : node.getText();
}

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function isWrapped(node: ts.Node): node is ts.ParenthesizedExpression {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isSpreadElement(node) ||
    ts.isSpreadAssignment(node)
  );
}

function whereIs(node: ts.Node): string {
  const file = node.getSourceFile().fileName.replace(/^.*?(?=(?:src|jobs)\/)/, '');
  return `${file}: ${node.getText().replace(/\s+/g, ' ').slice(0, 80)}`;
}

function add<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
