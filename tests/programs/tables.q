/ == vwap
t:([]sym:60#`a`b`c;px:100+(7*til 60)mod 11;sz:10*1+(5*til 60)mod 7)
v:select vwap:sz wavg px,n:count i,hi:max px,lo:min px by sym from t
-1{" "sv(string x`sym;.Q.f[4]x`vwap;string x`n;string x`hi;string x`lo)}each 0!v;
-1 .Q.f[4]exec(sum px*sz)%sum sz from t;
-1 string exec sum sz from t where px>avg px;
-1 string exec count i from t where px=(max;px)fby sym;
/ == bars
t:([]time:09:30:00+37*til 40;px:50+sums -1 1 2 -3 1 mod[til 40;5];sz:1+(3*til 40)mod 10)
b:select o:first px,h:max px,l:min px,c:last px,v:sum sz by bar:5 xbar time.minute from t
-1{" "sv string value x}each 0!b;
-1 string count select by 10 xbar time.minute from t;
/ == asof
q:([]sym:`a`b`a`b`a;time:1 2 3 5 8;bid:10 20 11 21 12)
t:([]sym:`a`b`a`c`b`a;time:2 2 7 4 9 8)
-1{" "sv string value x}each aj[`sym`time;t;q];
w:wj1[(t.time-2;t.time);`sym`time;t;(`sym`time xasc q;(sum;`bid);(count;`bid))]
-1 string exec(q`time)bin time from t;
-1" "sv string exec bid from aj0[`sym`time;t;q];
-1" "sv string exec time from aj0[`sym`time;t;q];
/ == pivot
t:([]d:raze 3#'2024.01.01+til 3;k:9#`x`y`z;v:til 9)
p:exec(`x`y`z)#k!v by d:d from t
-1 string cols p;
-1{" "sv string value x}each 0!p;
u:ungroup select k,v by d from t
-1 string u~`d`k`v xcols t;
-1 string value exec sum v by k from t;
/ == book
/ Events add and cancel orders; the book is the sum of what rests at each price.
e:([]id:1 2 3 4 1 5 3;side:"BBSSBSS";px:10 9 11 12 10 11 11;qty:5 3 4 2 -5 6 -4)
book:select from(select sum qty by side,px from e)where qty>0
-1{" "sv string value x}each 0!book;
bb:{exec max px from x where side="B"};ba:{exec min px from x where side="S"}
-1 string(bb;ba)@\:book;
state:{[b;r]$[0<n:r[`qty]+0^b r`px;b,(1#r`px)!1#n;b _ r`px]}
s:(state\)[(0#0)!0#0;select px,qty from e where side="S"]
-1{" "sv"="sv'flip string(key;value)@\:x}each s;
/ == positions
t:([]sym:`a`a`b`a`b`a;side:1 1 1 -1 -1 -1;qty:100 50 200 80 100 70;px:10 11 5 12 6 9f)
r:update pos:sums side*qty,cash:sums neg side*qty*px by sym from t
-1{" "sv string value x}each select sym,pos,cash,pnl:cash+pos*px from r;
-1 string value exec last cash+pos*px by sym from r;
-1 string value exec sum cash by sym from select by sym from r;
/ == foreign
dept:([id:`d1`d2`d3]name:`sales`ops`it;floor:1 2 3)
emp:([]name:`ann`bob`cy`di;dept:`dept$`d1`d2`d1`d3;pay:10 20 30 40)
-1{" "sv string value x}each select name,dept.name,dept.floor from emp;
-1{" "sv string value x}each 0!select sum pay by dept.name from emp;
-1 string exec name from emp where dept.floor>1;
-1{" "sv string value x}each emp lj`dept xkey([]dept:`d1`d3;boss:`zed`yan);
-1 string meta[emp][`dept;`f];
/ == ranks
t:([]g:`x`y`x`y`x;v:5 2 9 7 5)
-1{" "sv string value x}each update r:1+rank neg v,share:v%sum v by g from t;
-1{" "sv string value x}each 0!select top:max v,who:i v?max v by g from t;
-1" "sv string exec v from`g xasc`v xdesc t;
-1 string value exec last v by g from t;
/ == sessions
c:([]u:`a`b`a`a`b`a;t:00:00 00:05 00:10 01:00 01:30 01:20)
s:update sid:sums 00:30<t-t^prev t by u from`u`t xasc c
-1{" "sv string value x}each 0!select n:count i,start:first t,len:last[t]-first t by u,sid from s;
-1 string value exec count distinct sid by u from s;
/ == insertions
t:([k:`symbol$()]n:`long$();last:`long$())
{`t upsert(x;1+0^t[x;`n];y)}'[`a`b`a`c`a;til 5];
-1{" "sv string value x}each 0!t;
delete from`t where n=1;
-1 string count t;
`t insert(`z;7;8);
-1 string t[`z]`n`last;
update n:2*n from`t where k in`z`a;
-1{" "sv string value x}each 0!t;
-1 .[insert;(`t;(`z;1;1));{x}];
/ == functional
t:([]a:1 2 3 4;b:`p`q`p`q;c:10 20 30 40)
-1 string exec c from ?[t;enlist(>;`a;2);0b;()];
-1{" "sv string value x}each 0!?[t;();(1#`b)!1#`b;`s`m!((sum;`c);(max;`a))];
-1 string ?[t;();();(sum;(*;`a;`c))];
-1 string exec a from ![t;enlist(=;`b;1#`p);0b;(1#`a)!enlist(neg;`a)];
-1 string cols![t;();0b;1#`c];
agg:{[t;f;c]?[t;();0b;c!f,/:c]}
-1 string value first agg[t;avg;`a`c];
/ == setwork
a:([]k:1 2 3;v:`x`y`z);b:([]k:2 3 4;v:`y`q`w)
-1 string count each(a union b;a inter b;a except b);
-1{" "sv string value x}each a ij`k xkey update w:k*k from delete v from b;
-1{" "sv string value x}each 0!(`k xkey a)uj`k xkey b;
-1 string count distinct raze(a;b);
-1" "sv string differ 1 1 2 2 3 1;
-1 string(1 2 3 4 5)except 2 4;
-1@3 sublist/:("abcdef";"xy");
-1 string -2 sublist til 6;
