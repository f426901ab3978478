/ Functions of .Q that are q themselves. Each starts at the left margin with its full name; further
/ lines are indented. They are parsed when first used.

/ months added to a date; a day that the month does not have goes over into the next
.Q.addmonths:{[d;n] m:`month$d; (`date$m+n)+d-`date$m}

/ longs as text of 10 digits of .Q.b6 or 12 of .Q.nA, and back
.Q.x10:{.Q.b6 (10#64)vs x}
.Q.x12:{.Q.nA (12#36)vs x}
.Q.j10:{64 sv .Q.b6?x}
.Q.j12:{36 sv .Q.nA?x}

/ the table that a column is a foreign key into, or the null symbol
.Q.fk:{$[77h<=t:abs type x; `; 20h>t; `; 99h=type @[value;k:key x;0]; k; `]}

/ options by name, each with the words after it; the words before the first go to .Q.x
.Q.opt:{
  i:where"-"=first each x:(),x;
  .Q.x:(first i,count x)#x;
  p:i _x;
  (`$1_'first each p)!1_'p}

/ a unary function applied to distinct items only
.Q.fu:{[f;x] $[0h>type x; f x; (f u)(u:distinct x)?x]}

/ a function applied to a table without its keys, which are put back
.Q.ft:{[f;t] $[99h=type t; (keys t)xkey f 0!t; f t]}

/ a function of a long vector, in parts
.Q.fc:{[f;x] f x}

/ lines of a file in chunks of whole lines
.Q.fs:{[f;file] .Q.fsn[f;file;131000]}
.Q.fsn:{[f;file;n]
  size:hcount file; p:0;
  while[p<size;
    b:read1(file;p;m:n&size-p);
    while[not(0x0a in b)or size<=p+m; b:read1(file;p;m:(2*m)&size-p)];
    k:$[size<=p+m; count b; 1+last where b=0x0a];
    f "\n" vs "c"$$[0x0a=b k-1; (k-1)#b; k#b];
    p+:k];
  size}
.Q.fps:{[f;file] .Q.fpn[f;file;131000]}
.Q.fpn:{[f;file;n]
  h:hopen`$":fifo://",1_string file;
  rest:0#0x0;
  while[count b:read1(h;n);
    rest,:b;
    k:1+last where 0x0a=rest;
    if[not null k; f "\n"vs"c"$(k-1)#rest; rest:k _rest]];
  hclose h;
  if[count rest; f "\n"vs"c"$rest];}

/ symbol columns enumerated against a file of the database
.Q.en:{[d;t] .Q.ens[d;t;`sym]}
.Q.ens:{[d;t;s]
  if[99h=type t; :(keys t)xkey .Q.ens[d;0!t;s]];
  c:where 11h=type each flip t;
  if[d~(::); :@[t;c;{[s;x] s?x}[s]]];
  e:` sv d,s;
  e?`symbol$();
  @[t;c;{[e;x] e?x}[e]]}

/ the table, when each column is a vector or a list of vectors of one type
.Q.mappable:{
  uniform:{$[(0<type x)or not count x; 1b; 0h=t:type first x; 0b; all t=type each x]};
  if[not all uniform each flip x; 'unmappable];
  x}

/ a global table written as a partition, parted on a column that comes first
.Q.dpft:{[d;p;f;t] .Q.dpfts[d;p;f;t;`sym]}
.Q.dpfts:{[d;p;f;t;s]
  x:.Q.mappable 0!value t;
  if[not f in cols x; 'f];
  x:(f,(cols x)except f)xcols x;
  x:.Q.ens[d;x;s];
  x:x iasc x f;
  (` sv .Q.par[d;p;t],`)set @[x;f;`p#];
  t}
.Q.dpt:{[d;p;t] .Q.dpts[d;p;t;`sym]}
.Q.dpts:{[d;p;t;s]
  (` sv .Q.par[d;p;t],`)set .Q.ens[d;.Q.mappable 0!value t;s];
  t}

/ records of a binary file appended to a table in a partition, up to 1000000 at a time: d is
/ (directory;partition;table), s (file;offset;length), f the columns, t (types;widths); g makes of a
/ piece of the table what is stored
.Q.dsftg:{[d;s;f;t;g]
  to:` sv .Q.par[d 0;d 1;d 2],`;
  w:sum t 1; chunk:w*.Q.M&1000000;
  n:$[0<s 2; s 2; (s[2]+hcount s 0)-s 1];
  i:0;
  while[w<=n-i;
    k:chunk&w*(n-i)div w;
    to upsert .Q.en[d 0] g flip f!t 1:(s 0;s[1]+i;k);
    i+:k];
  d}

/ the lines of a script as statements: numbers of their first lines, and their texts
.Q.ld:{
  i:where{$[count x; not x[0]in" \t})]"; 0b]}each x;
  (1+i;{"\n"sv x where 0<count each x}each i cut x)}

/ all tables of the root written as a partition and emptied, and the HDB told to load it
.Q.hdpf:{[h;d;p;f]
  t:tables`.;
  .Q.dpft[d;p;f]each t;
  @[`.;t;0#];
  if[0<h:@[hopen;h;0]; h"\\l ."; hclose h];}

/ where a partition of a table is: under the root, or in a segment of par.txt
.Q.par:{[d;p;t]
  s:` sv d,`par.txt;
  r:$[()~key s; d; [l:hsym`$read0 s; l(`long$p)mod count l]];
  ` sv r,(`$string p),$[null t; `symbol$(); t]}
