/**
 * A series of HTML character references: the first character's code, the step from each character
 * to the next, and the names. `-` skips a character. Names are lowercase, because secrets are found
 * in any letter case.
 */
type Row = readonly [first: number, step: number, names: string];

/** Names that HTML also decodes without a semicolon. */
const withoutSemicolon: readonly Row[] = [
  [0x22, 4, 'quot amp'],
  [0x3c, 2, 'lt gt'],
  [
    0xa0,
    1,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest',
  ],
  [
    0xdf,
    1,
    'szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
  ],
  [0xd7, 1, 'times'],
];

/**
 * Names that HTML decodes only with a semicolon. `dash` and `hyphen` are U+2010 in HTML, but here
 * they represent the ASCII `-`, which secrets are more likely to contain.
 */
const withSemicolon: readonly Row[] = [
  [0x09, 1, 'tab newline'],
  [0x21, 1, 'excl - num dollar percnt - apos lpar rpar ast plus comma dash period sol'],
  [0x2a, 3, 'midast hyphen'],
  [0x3a, 1, 'colon semi - equals - quest commat'],
  [0x5b, 1, 'lsqb bsol rsqb hat lowbar grave'],
  [0x5b, 2, 'lbrack rbrack underbar'],
  [0x60, 1, 'diacriticalgrave'],
  [0x7b, 1, 'lcub verbar rcub'],
  [0x7b, 1, 'lbrace vert rbrace'],
  [0x7c, 1, 'verticalline'],
  [0xa0, 8, 'nonbreakingspace die'],
  [0xa8, 1, 'doubledot - - - - - circledr strns - pm - - diacriticalacute - - centerdot cedilla'],
  [0xa8, 9, 'dot plusminus'],
  [0xbd, 0x3a, 'half div'],
  [
    0x101,
    2,
    'amacr abreve aogon cacute ccirc cdot ccaron dcaron dstrok emacr - edot eogon ecaron gcirc gbreve gdot gcedil hcirc hstrok itilde imacr - iogon imath ijlig jcirc kcedil',
  ],
  [0x130, 1, 'idot inodot'],
  [0x138, 1, 'kgreen'],
  [0x13a, 2, 'lacute lcedil lcaron lmidot lstrok nacute ncedil ncaron'],
  [
    0x149,
    2,
    'napos eng omacr - odblac oelig racute rcedil rcaron sacute scirc scedil scaron tcedil tcaron tstrok utilde umacr ubreve uring udblac uogon wcirc ycirc',
  ],
  [0x17a, 2, 'zacute zdot zcaron'],
  [
    0x3b1,
    1,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega',
  ],
  [0x3b5, 16, 'epsi upsi'],
  [0x3c2, 1, 'sigmav'],
  [0x3c2, 7, 'varsigma ohm'],
  [0x3d1, 1, 'thetasym upsih - - straightphi piv'],
  [0x3d1, 4, 'thetav phiv'],
  [0x3d1, 4, 'vartheta varphi'],
  [0x3d6, 7, 'varpi gammad'],
  [0x3dd, 0x13, 'digamma kappav'],
  [0x3f0, 1, 'varkappa rhov - - - epsiv bepsi'],
  [0x3f1, 4, 'varrho varepsilon'],
  [0x3f5, 1, 'straightepsilon backepsilon'],
  [0xe5, 1, 'angst'],
  [
    0x430,
    1,
    'acy bcy vcy gcy dcy iecy zhcy zcy icy jcy kcy lcy mcy ncy ocy pcy rcy scy tcy ucy fcy khcy tscy chcy shcy shchcy hardcy ycy softcy ecy yucy yacy - iocy djcy gjcy jukcy dscy iukcy yicy jsercy ljcy njcy tshcy kjcy - ubrcy dzcy',
  ],
  [0x2013, 1, 'ndash mdash horbar - - lsquo rsquo sbquo - ldquo rdquo bdquo - dagger - bull'],
  [0x2026, 1, 'hellip'],
  [0x2039, 1, 'lsaquo rsaquo'],
  [0x20ac, 1, 'euro'],
  [0x2122, 1, 'trade'],
];

/** Characters by lowercase reference name. */
export const htmlNames: ReadonlyMap<string, string> = new Map(
  [...withoutSemicolon, ...withSemicolon].flatMap(expandRow),
).set('fjlig', 'fj');

/** Matches a numeric character reference, or a reference with one of the names. */
export const htmlReference = new RegExp(
  `&(?:#x[\\da-f]+|#\\d+|(?:fjlig|${alternatives(withSemicolon)})(?=;)|${alternatives(withoutSemicolon)});?`,
  'gi',
);

function expandRow([first, step, names]: Row): [name: string, character: string][] {
  return names
    .split(' ')
    .map((name, index): [string, string] => [name, String.fromCharCode(first + step * index)])
    .filter(([name]) => name !== '-');
}

function alternatives(rows: readonly Row[]): string {
  return rows
    .flatMap(expandRow)
    .map(([name]) => name)
    .join('|');
}
