/ Functions of .h that are q themselves: markup, HTTP responses, and tables as text. The form is that of library.q.

/ text with what HTML and XML reserve written out
.h.hc:{ssr[x;"<";"&lt;"]}
.h.xs:{raze $[10h=abs type x; {$[x in k:"&<>\"'"; ("&amp;";"&lt;";"&gt;";"&quot;";"&apos;")k?x; enlist x]}each x; string x]}

/ an element: tag, attributes, content; a text attribute is quoted, a symbol is not
.h.hta:{[tag;a] "<",string[tag],raze[{" ",string[x],"=",$[10h=type y; "\"",y,"\""; string y]}'[key a;value a]],">"}
.h.htac:{[tag;a;x] .h.hta[tag;a],x,"</",string[tag],">"}
.h.htc:{[tag;x] "<",string[tag],">",x,"</",string[tag],">"}
.h.ha:{[href;x] .h.htac[`a;(enlist`href)!enlist href;x]}
.h.hb:{[href;x] .h.htac[`a;`target`href!(`v;href);x]}
.h.nbr:{.h.htc[`nobr;x]}
.h.pre:{.h.htc[`pre;.h.lines x]}
.h.xmp:{.h.htc[`xmp;.h.lines x]}
.h.text:{.h.lines .h.htc[`p]each x}
.h.lines:{raze x,\:"\n"}
.h.hr:{count[x]#"-"}

/ pieces between tabs, every other one as code
.h.code:{" "sv @[p;where(til count p:"\t"vs x)mod 2;{.h.htc[`code;.h.nbr x]}]}

/ addresses in a text as links
.h.http:{
  link:{n:x?" "; .h.ha[n#x;n#x],n _x};
  raze @[p;where(p:(distinct 0,x ss"http://")_x)like"http://*";link]}

/ a document, and a page with two frames, the left one as wide as the lines need
.h.html:{.h.htc[`html;.h.htc[`head;.h.htc[`style;.h.sa,.h.sb]],.h.htc[`body;x]]}
.h.fram:{[title;s;sources]
  f:.h.hta[`frameset;(enlist`cols)!enlist string[26+10*max count each s],",*"];
  f,:.h.hta[`frame;(enlist`src)!enlist sources 0];
  f,:.h.hta[`frame;`name`src!(`v;sources 1)],"</frameset>";
  .h.htc[`html;.h.htc[`head;.h.htc[`title;title],f]]}

/ HTTP responses
.h.hy:{[kind;x] .h.hn["200 OK";kind;x]}
.h.he:{.h.hn["400 Bad Request";`txt;"'",.h.hc x]}
.h.hp:{.h.hy[`htm;.h.htc[`html;.h.htc[`head;.h.htc[`style;.h.sb]],.h.htc[`body;.h.pre x]]]}

/ characters of addresses
.h.hug:{[safe] c!{$[y in x; enlist y; "%",string"x"$y]}[safe]each c:"c"$til 256}
.h.hu:{raze .h.hug[.h.sc]x}

/ nanoseconds since 2000 as ISO 8601 has them
.h.iso8601:{@[string"p"$x;4 7 10;:;"--T"]}

/ tables as lines of text; the items of nested cells are joined by .h.d
.h.joined:{$[(0h=type x)and all 0h<=type each x; .h.d sv/:string x; x]}
.h.flat:{$[.Q.qt x; flip .h.joined each flip 0!x; .h.joined each x]}
.h.cd:{","0:.h.flat x}
.h.td:{"\t"0:.h.flat x}
.h.row:{[names;x] .h.htc[`r;raze .h.htc'[names;.h.xs each x]]}
.h.xd:{enlist["<R>"],(.h.row[cols x]each flip value flip 0!x),enlist"</R>"}
.h.jt:{$[98h=type x; "[",(",\n "sv .j.j each x),"]"; .j.j x]}
.h.js:{.h.jt each x}
.h.xt:{[kind;x] $[kind=`json; .j.k each x; 'kind]}

/ spreadsheets: one worksheet for each table
.h.cell:{[x]
  kind:$[10h=abs type x; "String"; abs[type x]in 5 6 7 8 9h; "Number"; "String"];
  "<Cell>",.h.htac[`Data;(enlist`$"ss:Type")!enlist kind;.h.xs x],"</Cell>"}
.h.sheet:{[name;t]
  t:0!t;
  row:{.h.htc[`Row;raze .h.cell each x]};
  rows:row[string cols t],raze row each flip value flip t;
  .h.htac[`Worksheet;(enlist`$"ss:Name")!enlist string name;.h.htc[`Table;rows]]}
.h.book:{[spaces;x]
  u:"urn:schemas-microsoft-com:office:";
  a:`xmlns,`$"xmlns:",/:string spaces;
  ("<?xml version=\"1.0\"?><?mso-application progid=\"Excel.Sheet\"?>";
    .h.htac[`Workbook;a!u,/:("spreadsheet";"office";"excel";"spreadsheet")0,`o`x`ss?spaces;x])}
.h.ed:{.h.book[`o`x`ss;.h.sheet[`Sheet1;x]]}
.h.edsn:{.h.book[enlist`ss;raze .h.sheet'[key x;value x]]}

/ the pages of a process: its variables, what a query gives, tables by format, files under .h.HOME
.z.ph:{[request]
  x:.h.uh $[10h=type request; request; request 0];
  if[not count x; :.h.index string system"v"];
  if[x~enlist"?"; :.h.hp .h.hb'["?",/:v;v:string system"v"]];
  if["?["~2#x; :@[{.h.hp .h.jx["J"$x;.h.R]};2_x;.h.he]];
  if["?"=first x; :@[{.h.hp .h.jx[0;x]};1_x;.h.he]];
  if["?"in x; :.[.h.form;(x;.h.accepted request);.h.he]];
  $[count file:.h.file x; .h.hy[`$last"."vs x;file]; .h.hn["404 Not Found";`txt;x,": not found"]]}
.h.index:{[names] .h.hy[`htm;.h.fram[string .z.f;$[count names; names; enlist""];("?";"?",raze 1#names)]]}

/ the result of a query in the format that the name before it ends with, packed when the client takes that
.h.form:{[x;packs]
  name:(n:x?"?")#x;
  kind:first k where(k:`$(last"."vs name;-3#name))in key .h.tx;
  if[null kind; 'name];
  y:` sv .h.tx[kind] .h.val(n+1)_x;
  $[packs and 2000<=count y; .h.hn["200 OK\r\nContent-Encoding: gzip";kind;.Q.gz(6;y)]; .h.hy[kind;y]]}
.h.accepted:{[request]
  if[10h=type request; :0b];
  ("",raze value[h]where(lower string key h:request 1)~\:"accept-encoding")like"*gzip*"}
