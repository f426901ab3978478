/ Functions of .Q that are q themselves. Each starts at the left margin with its full name; further
/ lines are indented. They are parsed when first used.

/ months added to a date, the day kept within the month
.Q.addmonths:{[d;n] m:n+`month$d; (-1+`date$m+1)&(`date$m)+d-`date$`month$d}

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
    b:read1(file;p;n&size-p);
    k:$[size<=p+count b; count b; 1+last where b=0x0a];
    if[null k; '"line longer than the chunk"];
    f "\n" vs "c"$$[0x0a=b k-1; (k-1)#b; k#b];
    p+:k];
  size}
.Q.fps:{[f;file] .Q.fpn[f;file;131000]}
.Q.fpn:{[f;file;n] .Q.fsn[f;file;n]}

/ symbol columns enumerated against a file of the database
.Q.en:{[d;t] .Q.ens[d;t;`sym]}
.Q.ens:{[d;t;s]
  if[99h=type t; :(keys t)!.Q.ens[d;0!t;s]];
  c:where 11h=type each flip t;
  e:` sv d,s;
  e?`symbol$();
  @[t;c;{[e;x] e?x}[e]]}

/ a global table written as a partition, parted on a column that comes first
.Q.dpft:{[d;p;f;t] .Q.dpfts[d;p;f;t;`sym]}
.Q.dpfts:{[d;p;f;t;s]
  x:0!value t;
  if[not f in cols x; 'f];
  x:(f,(cols x)except f)xcols x;
  x:.Q.ens[d;x iasc x f;s];
  (` sv .Q.par[d;p;t],`)set @[x;f;`p#];
  t}
.Q.dpt:{[d;p;t] .Q.dpts[d;p;t;`sym]}
.Q.dpts:{[d;p;t;s]
  (` sv .Q.par[d;p;t],`)set .Q.ens[d;0!value t;s];
  t}

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
