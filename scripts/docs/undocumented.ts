import ts from 'typescript';

const containers = [ts.isInterfaceDeclaration, ts.isClassDeclaration, ts.isTypeAliasDeclaration];

/** Returns the names of public exports and members without a docstring, such as `PullRequest.title`. */
export function undocumented(program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  const missing = new Set<string>();
  const says = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0;
  for (const name of program.getRootFileNames()) {
    const file = program.getSourceFile(name);
    const module = file && checker.getSymbolAtLocation(file);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const symbol =
        exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!says(symbol)) missing.add(symbol.name);
      for (const declaration of symbol.declarations ?? []) {
        if (containers.some((is) => is(declaration))) visit(declaration, symbol.name);
        if (ts.isInterfaceDeclaration(declaration)) visitDerived(declaration, symbol.name);
      }
    }
  }
  return [...missing].sort((a, b) => (a < b ? -1 : 1));

  /** Checks the fields of an interface that has only inherited members, such as the emulator's records. */
  function visitDerived(node: ts.InterfaceDeclaration, path: string): void {
    if (node.members.length > 0) return;
    for (const property of checker.getTypeAtLocation(node).getProperties()) {
      if (!says(property)) missing.add(`${path}.${property.name}`);
    }
  }

  /** Checks fields and methods, including the fields and methods of inline types. */
  function visit(node: ts.Node, path: string): void {
    ts.forEachChild(node, (child) => {
      if (!isMember(child)) {
        // Skips unions, because no tool reads the comments before their members.
        if (ts.isTypeNode(child) && !ts.isUnionTypeNode(child)) visit(child, path);
        return;
      }
      if (isHidden(child) || isExcluded(child)) return;
      const symbol = checker.getSymbolAtLocation(child.name);
      if (symbol === undefined) return;
      const own = `${path}.${symbol.name}`;
      if (!says(symbol)) missing.add(own);
      if ('type' in child && child.type !== undefined && !ts.isMethodDeclaration(child)) {
        visit(child, own);
      }
    });
  }
}

type Member =
  | ts.PropertySignature
  | ts.MethodSignature
  | ts.PropertyDeclaration
  | ts.MethodDeclaration
  | ts.GetAccessorDeclaration;

function isMember(node: ts.Node): node is Member {
  return (
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isGetAccessorDeclaration(node)
  );
}

/** Returns whether a union member excludes a field, as in `client_id?: undefined`. */
function isExcluded(node: Member): boolean {
  return (
    ts.isPropertySignature(node) && /^(?:null \| )?undefined$/.test(node.type?.getText() ?? '')
  );
}

/** Returns whether a member is private, protected or internal, or has a computed name (`[Symbol.asyncDispose]`). */
function isHidden(node: Member): boolean {
  const flags = ts.getCombinedModifierFlags(node);
  return (
    ts.isPrivateIdentifier(node.name) ||
    ts.isComputedPropertyName(node.name) ||
    (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0 ||
    ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal')
  );
}
